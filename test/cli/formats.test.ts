import { describe, expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';

describe('a format that a command does not print', () => {
  it.each([
    ['validate', 'csv', 'CSV'],
    ['plan', 'ndjson', 'NDJSON'],
    ['runs show x', 'csv', 'CSV'],
    ['hosts inventory show x', 'csv', 'CSV'],
    ['hosts inventory pull', 'csv', 'CSV'],
    ['hosts inventory export', 'markdown', 'Markdown'],
    ['apply --auto-approve', 'markdown', 'Markdown'],
    ['hosts snapshot', 'markdown', 'Markdown'],
    ['schema', 'markdown', 'Markdown'],
    ['hosts', 'html', 'HTML'],
  ])('is refused by rampart %s: %s', async (command, format, name) => {
    const { rampart } = await workplace();
    const ran = await rampart(`${command} --emulator --format ${format}`);
    expect(ran).toExit(3, { out: '' });
    const called = command.replace(/ (?:x|--.*)$/, '');
    expect(ran.err).toContain(`"rampart ${called}" does not support ${name} output`);
  });

  it('comes with those that the command prints, and the commands that print it', async () => {
    const { rampart } = await workplace();
    const { err } = await rampart('hosts inventory export --format markdown');
    expect(err).toContain('use --format text, --format json, --format csv or --format ndjson');
    expect(err).toMatch(/--format markdown is for .*rampart plan.*rampart show/);
  });

  it('that there is not is refused by all', async () => {
    const { rampart } = await workplace();
    expect((await rampart('hosts --format xml')).code).toBe(3);
  });
});
