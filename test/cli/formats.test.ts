import { describe, expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';

describe('a format that a command does not print', () => {
  it.each([
    [['validate'], 'csv', '"rampart validate" does not support CSV output'],
    [['plan'], 'ndjson', '"rampart plan" does not support NDJSON output'],
    [['runs', 'show', 'x'], 'csv', '"rampart runs show" does not support CSV output'],
    [
      ['hosts', 'inventory', 'show', 'x'],
      'csv',
      '"rampart hosts inventory show" does not support CSV output',
    ],
    [
      ['hosts', 'inventory', 'export'],
      'markdown',
      '"rampart hosts inventory export" does not support Markdown output',
    ],
  ])('is refused by %j: %s', async (argv, format, message) => {
    const { rampart } = await workplace();
    const ran = await rampart([...argv, '--emulator', '--format', format]);
    expect(ran).toMatchObject({ code: 3, out: '' });
    expect(ran.err).toContain(message);
  });

  it('comes with those that the command prints, and the commands that print it', async () => {
    const { rampart } = await workplace();
    const { err } = await rampart(['hosts', 'inventory', 'export', '--format', 'markdown']);
    expect(err).toContain('use --format text, --format json, --format csv or --format ndjson');
    expect(err).toMatch(/--format markdown is for .*rampart plan.*rampart show/);
  });

  it('that there is not is refused by all', async () => {
    const { rampart } = await workplace();
    expect((await rampart(['hosts', '--format', 'xml'])).code).toBe(3);
  });
});
