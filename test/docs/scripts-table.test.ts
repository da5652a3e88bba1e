import '../tiers/uses-a-system.ts';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDesired } from '../../src/input/load-desired.ts';

const page = readFileSync(new URL('../../docs/reference/desired-state.md', import.meta.url), 'utf8');
const [, body = ''] =
  /\| in Node \| in a script \| use instead \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? [];
const rows = body
  .trimEnd()
  .split('\n')
  .map(
    (row) => row.split(' | ').map((cell) => cell.replace(/^\| ?|\s*\|$/g, '')) as [string, string, string],
  );

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'rampart-table-'));
  await writeFile(join(cwd, 'sites.json'), '[]');
  await writeFile(join(cwd, 'sites.csv'), 'id\n');
});
afterAll(() => rm(cwd, { recursive: true }));

let scripts = 0;
/** The name of the only host that a script with this body exports. */
async function nameOf(body: string): Promise<unknown> {
  scripts += 1;
  const file = `fleet${scripts}.mjs`;
  await writeFile(join(cwd, file), `${body}\nexport default { hosts: [{ name: String(name) }] };`);
  const result = await loadDesired([file], { cwd });
  return result.ok ? result.value.at(0).name : result.problems[0]?.message;
}

const features = rows.filter(([feature]) => /^`[\w.]+`$/.test(feature));

test('the table of Node features is not empty', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(features.length).toBeGreaterThan(15);
});

test.each(features)('a script has %s as the reference says: %s', async (feature, answer) => {
  const name = feature.replaceAll('`', '');
  const has = name.startsWith('import.')
    ? `typeof ${name}`
    : name === 'localeCompare' || name === 'toLocaleString'
      ? `typeof ''.${name}`
      : `typeof globalThis.${name}`;
  expect((await nameOf(`const name = ${has};`)) !== 'undefined').toBe(answer.startsWith('yes'));
});

const alternatives = rows.flatMap(([feature, , instead]) =>
  [...(instead ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => [feature, code] as const),
);

test.each(alternatives.filter(([, code]) => code !== 'await'))(
  'a script can do without %s by %s',
  async (_feature, code) => {
    const body = code.startsWith('import ')
      ? `${code.replace(/^import (\w+)/, 'import $1')};\nconst name = 'works';`
      : `const made = ${code.replace(/^const \w+ = /, '')};\nconst name = made === undefined ? 'fails' : 'works';`;
    expect(await nameOf(body)).toBe('works');
  },
);

test.each([
  ['the time zone of dates is UTC', 'new Date(2026, 6, 1).getTimezoneOffset()', '0'],
  [
    'the language does not change the order of texts',
    "['b', 'ä', 'a'].toSorted((a, b) => a.localeCompare(b, 'de')).join('')",
    'abä',
  ],
  ['the language does not change numbers', "(1234.5).toLocaleString('de')", '1234.5'],
  ['an unawaited rejection is ignored', "(Promise.reject(new Error('x')), 'ignored')", 'ignored'],
])('in a script, %s', async (_case, code, name) => {
  expect(await nameOf(`const name = ${code};`)).toBe(name);
});
