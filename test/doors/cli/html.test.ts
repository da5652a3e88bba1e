import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workplace } from '../../given/command-line.ts';

const examples = join(import.meta.dirname, '../../../examples/main-job');

describe('--format html', () => {
  it('is one page, the same when the plan is shown again', async () => {
    const { rampart, write } = await workplace();
    for (const name of ['fleet.yaml', 'seed.yaml'])
      await write(name, await readFile(join(examples, name), 'utf8'));
    const argv = ['plan', '--emulator=seed.yaml', '--out', 'saved.json', '--format', 'html'];
    const planned = await rampart(argv);
    expect(planned.code).toBe(0);
    expect(planned.out).toMatch(/^<!DOCTYPE html>\n/);
    expect(planned.out).toMatch(/<\/html>\n$/);
    const shown = await rampart(['show', 'saved.json', '--format', 'html']);
    expect(shown).toMatchObject({ code: 0, out: planned.out });
  });

  it('is refused by commands that show no plan', async () => {
    const { rampart } = await workplace();
    const ran = await rampart(['hosts', '--emulator', '--format', 'html']);
    expect(ran).toMatchObject({ code: 3, out: '' });
    expect(ran.err).toContain('"rampart hosts" does not support HTML output');
  });
});
