import { describe, expect, it } from 'vitest';
import { workplace } from '../../given/command-line.ts';

describe('a format that a command does not print', () => {
  it.each([
    [['validate'], 'csv', '"rampart validate" has no CSV to show'],
    [['plan'], 'ndjson', '"rampart plan" has no NDJSON to show'],
    [['runs', 'show', 'x'], 'csv', '"rampart runs show" has no CSV to show'],
    [['inventory', 'show', 'x'], 'csv', '"rampart inventory show" has no CSV to show'],
    [['inventory', 'export'], 'markdown', '"rampart inventory export" has no Markdown to show'],
  ])('is refused by %j: %s', async (argv, format, message) => {
    const { rampart } = await workplace();
    const ran = await rampart([...argv, '--emulator', '--format', format]);
    expect(ran).toMatchObject({ code: 3, out: '' });
    expect(ran.err).toContain(message);
  });

  it('comes with those that the command prints, and the commands that print it', async () => {
    const { rampart } = await workplace();
    const { err } = await rampart(['inventory', 'export', '--format', 'markdown']);
    expect(err).toContain('use --format text, --format json, --format csv, or --format ndjson');
    expect(err).toMatch(/--format markdown is for .*rampart plan.*rampart show/);
  });

  it('that there is not is refused by all', async () => {
    const { rampart } = await workplace();
    expect((await rampart(['hosts', '--format', 'xml'])).code).toBe(3);
  });
});
