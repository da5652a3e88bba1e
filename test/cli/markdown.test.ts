import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';

const root = join(import.meta.dirname, '../..');

/** A folder with the example of the main job. */
async function mainJob() {
  const place = await workplace();
  for (const name of ['fleet.yaml', 'seed.yaml'])
    await place.write(name, await readFile(join(root, 'examples/main-job', name), 'utf8'));
  return place;
}

describe('the main job as its reviewers see it', () => {
  for (const [file, flags] of [
    ['plan.txt', []],
    ['plan.md', ['--format', 'markdown']],
    ['plan.json', ['--json']],
  ] as const) {
    it(`is in ${file}, planned and shown again`, async () => {
      const { rampart } = await mainJob();
      const planned = await rampart(['plan', '--emulator=seed.yaml', '--out', 'saved.json', ...flags]);
      expect(planned.code).toBe(0);
      await expect(planned.out).toMatchFileSnapshot(join(root, 'test/golden/main-job', file));
      expect(await rampart(['show', 'saved.json', ...flags])).toMatchObject({ code: 0, out: planned.out });
    });
  }
});

describe('--summary', () => {
  it.each([[], ['--format', 'markdown']])('has no table of what can be undone %j', async (...format) => {
    const { rampart } = await mainJob();
    const argv = ['plan', '--emulator=seed.yaml', '--out', 'saved.json', ...format];
    const whole = (await rampart(argv)).out.split('\n');
    const summary = await rampart([...argv, '--summary']);
    expect(summary.code).toBe(0);
    const shown = summary.out.split('\n');
    const sums = shown.slice(shown.indexOf('Groups'), shown.indexOf('Groups') + 7);
    expect(shown.filter((line) => !whole.includes(line) && !sums.includes(line))).toEqual([]);
    expect(shown.length).toBeLessThan(whole.length * 0.7);
    expect(summary.out).toMatch(/Plan: \d+ renames/);
    expect(summary.out).not.toContain('→');
    expect(await rampart(['show', 'saved.json', '--summary', ...format])).toMatchObject({
      out: summary.out,
    });
  });

  it.each(['json', 'html', 'gitlab'])('is refused with --format %s', async (format) => {
    const { rampart } = await workplace();
    const ran = await rampart(['show', 'x.json', '--summary', '--format', format]);
    expect(ran.code).toBe(3);
    expect(ran.err + ran.out).toContain('--summary works only with --format text and --format markdown');
  });
});

describe('--format markdown', () => {
  it('keeps the limit that it is given', async () => {
    const { rampart } = await mainJob();
    const flags = ['--format', 'markdown', '--markdown-limit', '2000'];
    const { out } = await rampart(['plan', '--emulator=seed.yaml', ...flags]);
    expect(out.length).toBeLessThanOrEqual(2000);
    expect(out).toMatch(/\*\*\d+ more hosts\*\*/);
  });

  it.each(['999', '0', 'many', '-5'])('takes no limit of %s', async (limit) => {
    const { rampart } = await workplace();
    const ran = await rampart(['show', 'x.json', '--format', 'markdown', '--markdown-limit', limit]);
    expect(ran).toMatchObject({ code: 3, err: expect.stringContaining('whole number from 1000') });
  });

  it('is described by its limit', async () => {
    const { rampart } = await workplace();
    const ran = await rampart('show x.json --markdown-limit 5000');
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('--markdown-limit works only with --format markdown');
  });
});
