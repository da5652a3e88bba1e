import '../../tiers/uses-a-system.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Desired } from '../../../src/core/model/desired.ts';
import type { Result } from '../../../src/core/problem/problem.ts';
import { type LoadDesiredOptions, loadDesired } from '../../../src/input/load-desired.ts';
import { newFolder, putFiles } from '../../given/folder.ts';

let cwd: string;

beforeEach(() => {
  cwd = newFolder();
});

const put = (files: Parameters<typeof putFiles>[1]) => putFiles(cwd, files);

function load(file: string, options: Partial<LoadDesiredOptions> = {}): Promise<Result<Desired>> {
  return loadDesired([file], { cwd, ...options });
}

async function desired(file: string, options: Partial<LoadDesiredOptions> = {}): Promise<Desired> {
  const result = await load(file, options);
  if (!result.ok) throw new Error(result.problems.map((each) => each.message).join('\n'));
  return result.value;
}

const names = (state: Desired) => Array.from({ length: state.count }, (_, index) => state.at(index).name);

describe('a script', () => {
  test('says the same as a YAML file', async () => {
    const yaml = `version: 1
account: { companyId: 1234567890 }
hosts:
  - { id: 9007199254740993, name: BER-WEB-01, group: Berlin, antivirus: installed, protect: [delete] }
  - { id: "7", name: "007", group: null, previously: [A, B], current: C }
  - { id: 8, group: { id: 17 }, ignore: [name] }
  - { name: OLD, ensure: absent, deleteAfter: "2027-01-31T00:00:00.000Z" }
unmanaged: report
groups: [{ group: Berlin, exclusive: true, limits: { move: 3 } }]
policy: { limits: { delete: 5%, move: 50 }, freeze: { until: "2027-01-31T00:00:00.000Z" } }
`;
    const script = `import { defineFleet } from 'rampart';

export default defineFleet({
  account: { companyId: '1234567890' },
  hosts: [
    { id: 9007199254740993n, name: 'BER-WEB-01', group: 'Berlin', antivirus: 'installed', protect: ['delete'] },
    { id: '7', name: '007', group: null, previously: ['A', 'B'], current: 'C' },
    { id: 8, name: undefined, group: { id: 17n }, ignore: ['name'] },
    { name: 'OLD', ensure: 'absent', deleteAfter: new Date('2027-01-31') },
  ],
  unmanaged: 'report',
  groups: [{ group: 'Berlin', exclusive: true, limits: { move: 3 } }],
  policy: { limits: { delete: '5%', move: 50 }, freeze: { until: new Date('2027-01-31') } },
});
`;
    await put({ 'a.yaml': yaml, 'b.ts': script });
    const [one, other] = [await desired('a.yaml'), await desired('b.ts')];
    expect(Array.from({ length: other.count }, (_, index) => other.at(index))).toEqual(
      Array.from({ length: one.count }, (_, index) => one.at(index)),
    );
    expect(other.count).toBe(4);
    expect(other.companyId?.value).toBe(one.companyId?.value);
    expect(other.limits).toEqual(one.limits);
    const withoutPlaces = (policy: unknown): unknown =>
      JSON.parse(JSON.stringify(policy, (key, value: unknown) => (key === 'place' ? undefined : value)));
    expect(withoutPlaces(other.policy)).toEqual(withoutPlaces(one.policy));
  });

  test.each([
    ['a promise', 'export default Promise.resolve({ hosts: [{ name: "A" }] });'],
    ['an async function', 'export default async () => ({ hosts: [{ name: "A" }] });'],
    [
      'what defineFleet makes of a function',
      'import { defineFleet } from "rampart"; export default defineFleet(() => ({ hosts: [{ name: "A" }] }));',
    ],
    [
      'the same object in two places',
      'const p = ["B"]; export default { hosts: [{ name: "A", previously: p, protect: [] }] };',
    ],
    [
      'a fleet that a promise completes which nobody awaits',
      'const hosts = []; Promise.resolve().then(() => hosts.push({ name: "A" })); export default { hosts };',
    ],
  ])('may export %s', async (_, text) => {
    await put({ 'fleet.ts': text });
    expect(names(await desired('fleet.ts'))).toEqual(['A']);
  });

  test.each([
    ['mts', 'import { host } from "rampart"; export default { hosts: [host({ name: "A" as string })] };'],
    [
      'cts',
      'const { host } = require("rampart"); const n: string = "A"; module.exports = { hosts: [host({ name: n })] };',
    ],
    ['js', 'export default { hosts: [{ name: "A" }] };'],
    ['mjs', 'export default { hosts: [{ name: "A" }] };'],
  ])('may be a .%s file', async (ending, text) => {
    await put({ [`fleet.${ending}`]: text });
    expect(names(await desired(`fleet.${ending}`))).toEqual(['A']);
  });

  test('reads files and imports modules beside it', async () => {
    await put({
      'deep/fleet.ts': `import sites from './sites.json' with { type: 'json' };
import { prefix } from '../lib/prefix.ts';

export default { hosts: sites.map((site) => ({ name: prefix + site })), hostsFrom: '../more.csv' };
`,
      'deep/sites.json': '["1", "2"]',
      'lib/prefix.ts': 'export const prefix: string = "BER-";',
      'more.csv': 'name\nLIS-1\n',
    });
    const state = await desired('deep/fleet.ts');
    expect(names(state)).toEqual(['BER-1', 'BER-2', 'LIS-1']);
    expect(state.files).toEqual(['deep/fleet.ts', 'more.csv']);
    expect(state.placeOf(2)).toMatchObject({ file: 'more.csv', line: 2 });
  });
});

describe('places', () => {
  test('point to where an entry was made, to its declared origin, or to the export of the fleet', async () => {
    await put({
      'made.ts': `import { host } from 'rampart';
export const web = (name: string) =>
  host({ name, group: 'Berlin' });
`,
      'in/fleet.ts': `import { defineFleet, host, rule } from 'rampart';
import { web } from '../made.ts';

export default defineFleet({
  hosts: [
    host({ name: 'A' }),
    web('B'),
    { name: 'C', source: { file: 'sheet.csv', line: 7, col: 2 } },
    { ...host({ name: 'D' }), group: null },
    { name: 'E' },
    { name: 'F', source: { file: 'sheet.csv', line: 8 } },
  ],
  rules: [rule({ name: 'r', when: 'host.online', group: 'Berlin' })],
});
`,
    });
    const state = await desired('in/fleet.ts');
    const places = Array.from({ length: state.count }, (_, index) => state.placeOf(index, 'name'));
    expect(places).toEqual([
      {
        file: 'in/fleet.ts',
        line: 6,
        col: 5,
        width: 4,
        text: "    host({ name: 'A' }),",
        part: 'hosts[0].name',
      },
      {
        file: 'made.ts',
        line: 3,
        col: 3,
        width: 4,
        text: "  host({ name, group: 'Berlin' });",
        part: 'hosts[1].name',
      },
      { file: 'in/sheet.csv', line: 7, col: 2, part: 'hosts[2].name' },
      {
        file: 'in/fleet.ts',
        line: 9,
        col: 10,
        width: 4,
        text: "    { ...host({ name: 'D' }), group: null },",
        part: 'hosts[3].name',
      },
      {
        file: 'in/fleet.ts',
        line: 4,
        col: 1,
        width: 14,
        text: 'export default defineFleet({',
        part: 'hosts[4].name',
      },
      { file: 'in/sheet.csv', line: 8, col: 1, wholeLine: true, part: 'hosts[5].name' },
    ]);
    expect(state.placeOf(0)).toMatchObject({ line: 6, part: 'hosts[0]' });
    expect(state.placeOfRule(0, 'when')).toMatchObject({ line: 13, col: 11, part: 'rules[0].when' });
  });

  test('say which character of an expression is wrong', async () => {
    await put({
      'fleet.ts': 'export default { rules: [{ name: "r", when: "host.onlin", group: "G" }], hosts: [] };',
    });
    const { problems } = await load('fleet.ts');
    expect(problems).toMatchObject([
      {
        code: 'invalid-expression',
        place: { part: expect.stringMatching(/^rules\[0\]\.when, character \d+$/) },
      },
    ]);
  });
});

describe('a script runs in isolation', () => {
  test('passes its output to any listener, but not into the fleet', async () => {
    await put({
      'fleet.ts': 'console.log("{}"); console.error("beware"); export default { hosts: [{ name: "A" }] };',
    });
    const printed: string[] = [];
    expect(names(await desired('fleet.ts', { onOutput: (text) => printed.push(text) }))).toEqual(['A']);
    expect(printed.join('').split('\n').toSorted()).toEqual(['', 'beware', '{}']);
  });

  test('can print endlessly to itself', async () => {
    await put({
      'fleet.ts':
        'for (let i = 0; i < 100; i += 1) console.log("x".repeat(10_000)); export default { hosts: [] };',
    });
    const printed: string[] = [];
    await desired('fleet.ts', { onOutput: (text) => printed.push(text) });
    expect(printed.join('')).toHaveLength(64 * 1024);
  });

  test('and two failing scripts are reported together, with errors elsewhere', async () => {
    await put({ 'a.ts': 'throw new Error("a");', 'b.ts': '', 'c.yaml': 'version: 2\nhosts: []\n' });
    const { problems } = await loadDesired(['a.ts', 'b.ts', 'c.yaml'], { cwd });
    expect(problems.map(({ code, place }) => `${place?.file} ${code}`)).toEqual([
      'a.ts script-failed',
      'b.ts script-failed',
      'c.yaml wrong-version',
    ]);
  });

  test('in an encoding other than UTF-8 is not run', async () => {
    await writeFile(join(cwd, 'fleet.ts'), Buffer.from('export default "Zürich"', 'latin1'));
    expect((await load('fleet.ts')).problems).toMatchObject([{ code: 'file-not-text', place: { line: 1 } }]);
  });
});
