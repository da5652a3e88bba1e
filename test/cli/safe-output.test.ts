import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeText } from '../../src/cli/shell/safe-output.ts';
import { accountKey } from '../../src/core/model/account.ts';
import { ansiColor } from '../../src/output/review/color.ts';
import { givenService, workplace } from '../given/command-line.ts';
import { visibleFormat } from '../given/visible-format.ts';

const hostile = 'eve\u001b]0;title\u0007\u001b[2J\u009b31m\u202e\r\n::add-mask::x\n##[error]x';
// Marks of numbers and verses, such as U+0600, are format characters that can be seen, and that act on nothing.
const actsOnTerminals = new RegExp(`[^\\P{Cc}\\n\\t]|(?!${visibleFormat.source})\\p{Cf}`, 'u');
/** Except styles and the status line. */
const escape = '\u001b';
const foreign = new RegExp(`${escape}(?!\\[(?:[\\d;]*m|K))`);
const unsafe = new RegExp(`${actsOnTerminals.source}|^\\s*::(?!:)|##\\w*\\[`, 'mu');

describe('text for people', () => {
  it.each([true, false])('has nothing that acts on a terminal or a pipeline (terminal: %s)', (isTerminal) => {
    const pieces = fc.constantFrom(
      '\u001b',
      '\u001b[2J',
      '\u009b',
      '\r',
      '\u202e',
      '\u0600',
      '::',
      '#',
      '##',
      '[',
      'vso',
      '\n',
      ' ',
      'a',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const safe = safeText(text, { isTerminal }).replaceAll('\r\u001b[K', '');
        expect(safe).not.toMatch(actsOnTerminals);
        if (!isTerminal) expect(safe).not.toMatch(unsafe);
        expect(safeText(safe, { isTerminal })).toBe(safe);
      }),
    );
  });

  it('keeps the styles and the status line of Rampart', () => {
    const styled = `${ansiColor.bold(ansiColor.red('x'))}\n`;
    expect(safeText(styled, { isTerminal: true })).toBe(styled);
    expect(safeText('\r\u001b[K', { isTerminal: true })).toBe('\r\u001b[K');
  });
});

describe('text from files of the state folder', () => {
  const account = { companyId: '1234567890', service: '' };

  async function given() {
    const place = await workplace();
    const { env } = await givenService({ hosts: [{ id: '1', name: 'one' }] });
    const service = new URL(String(env['RAMPART_BASE_URL'])).origin;
    const key = accountKey({ ...account, service });
    const lock = join('.rampart', `lock-${key}`, '1.json');
    return { ...place, env, key, lock };
  }

  it.each([true, false])('is shown as symbols by unlock, runs and apply (terminal: %s)', async (terminal) => {
    const { folder, rampart, write, env, key, lock } = await given();
    await write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: two }]\n');
    const since = hostile;
    await mkdir(join(folder, dirname(lock)), { recursive: true });
    await write(lock, JSON.stringify({ pid: 1, machine: hostile, user: hostile, since }));
    const at = '2026-11-21T09:00:00Z';
    const head = {
      type: 'run',
      format_version: '1.0',
      run_id: hostile,
      at,
      account: { company_id: hostile, service: hostile },
      plan_checksum: hostile,
      steps: 1,
      fleet_size: 1,
    };
    const step = {
      type: 'begin',
      at,
      step: hostile,
      kind: 'rename',
      changes: [{ host_id: '1', name: { before: hostile, after: hostile } }],
    };
    await mkdir(join(folder, '.rampart', 'runs', key, 'r1'), { recursive: true });
    await write(`.rampart/runs/${key}/r1/r1.ndjson`, `${JSON.stringify(head)}\n${JSON.stringify(step)}\n`);
    const acts = terminal ? actsOnTerminals : unsafe;
    for (const argv of [
      ['runs'],
      ['runs', 'show', 'r1'],
      ['runs', 'export', 'r1'],
      ['apply', '--auto-approve', '--lock-timeout', '1ms'],
      ['plan', '--out', `p${hostile.replaceAll('/', '')}`],
      ['state', 'unlock', '--reason', 'it has ended'],
    ]) {
      const { out, err } = await rampart(argv, { env, terminal });
      expect(`${out}${err}`).toContain(argv[0] === 'plan' ? 'one' : 'eve');
      expect(`${out}${err}`).not.toMatch(foreign);
      expect(stripVTControlCharacters(out), argv.join(' ')).not.toMatch(acts);
      expect(stripVTControlCharacters(err.replaceAll('\r\u001b[K', '')), argv.join(' ')).not.toMatch(acts);
    }
  });
});

it('finds pipeline commands after a million blank lines without reading these again for each line', () => {
  const blanks = '\n'.repeat(1_000_000);
  expect(safeText(`${blanks} ::add-mask::x`, { isTerminal: false })).toBe(`${blanks} ‹U+003A›:add-mask::x`);
});
