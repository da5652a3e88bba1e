import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CoverageGap,
  coverageOf,
  coverageOfTables,
  type TableCoverage,
} from '../../../src/core/plan/coverage.ts';
import { plainStyle } from '../../../src/output/review/color.ts';
import { coverageMarkdown } from '../../../src/output/review/coverage-markdown.ts';
import { paintCoverage } from '../../../src/output/review/coverage-text.ts';
import { casesOf } from '../../given/cases.ts';
import { inputsFor, type MachineGiven } from '../../given/register.ts';

const yaml = `tables:
  - { name: asset, file: assets.csv, key: Serial, join: host.inventory.hardware.serviceTag }
`;

function coverageFor(rows: string, machines: readonly MachineGiven[], by?: string): TableCoverage {
  const inputs = inputsFor(yaml, { 'assets.csv': `Serial,Site\n${rows}` }, machines);
  const [table] = inputs.desired.tables ?? [];
  if (table === undefined) throw new Error('the table was not read');
  return coverageOf(table, inputs, by);
}

const found = ({ findings }: TableCoverage) =>
  findings.map(({ gap, host, place }) => `${gap} ${host?.id ?? `line ${place?.line}`}`);

const register = 'A1,Berlin\nA2,Berlin\nA3,Wien\n,Wien\na1 ,\n';
const machines: readonly MachineGiven[] = [
  { id: 1, name: 'ONE', serial: 'A1', groupId: 17 },
  { id: 2, name: 'TWO', serial: 'A3' },
  { id: 3, name: 'THREE', serial: 'a3' },
  { id: 4, name: '|evil`', serial: 'B1' },
  { id: 5, name: null, serial: '0000' },
  { id: 6, name: 'SIX' },
];

describe('the coverage of a fleet by a table', () => {
  it.each<[string, string, readonly MachineGiven[], readonly string[]]>([
    ['nothing if each row has a host', 'A1,Berlin\n', [{ id: 1, serial: 'a1' }], []],
    ['a row without a host', 'A1,x\nA2,x\n', [{ id: 1, serial: 'A1' }], ['asset-without-host line 3']],
    ['a row without a key', ',x\nN/A,x\n', [], ['asset-without-key line 2', 'asset-without-key line 3']],
    [
      'rows that repeat a key, both of them',
      'A1,x\na1,x\n',
      [{ id: 1, serial: 'A1' }],
      ['duplicate-asset line 2', 'duplicate-asset line 3'],
    ],
    [
      'a host without a row',
      'A1,x\n',
      [
        { id: 1, serial: 'A1' },
        { id: 2, serial: 'B' },
      ],
      ['host-without-asset 2'],
    ],
    ['a host with the text of a factory', '', [{ id: 1, serial: 'Default string' }], ['host-without-key 1']],
    ['a host whose key is not known', '', [{ id: 1 }], ['host-with-unknown-key 1']],
    [
      'hosts that share a key, both of them',
      'A1,x\n',
      [
        { id: 1, serial: 'A1' },
        { id: 2, serial: 'a1' },
      ],
      ['duplicate-host 1', 'duplicate-host 2'],
    ],
  ])('reports %s', (_, rows, hosts, expected) => {
    expect(found(coverageFor(rows, hosts))).toEqual(expected);
  });

  it('counts by the values of a column, and a host with the value of its row', () => {
    const { groups, total } = coverageFor(register, machines, 'Site');
    const shown = groups.map(({ value, assets, assetsWithHost, gaps }) => [
      value,
      assets,
      assetsWithHost,
      gaps['duplicate-host'],
    ]);
    expect(shown).toEqual([
      [undefined, 1, 1, 0],
      ['Berlin', 2, 1, 0],
      ['Wien', 2, 1, 2],
    ]);
    expect(total).toMatchObject({ assets: 5, assetsWithHost: 3 });
  });

  it('is a table and lists in the terminal', () => {
    const text = paintCoverage(coverageFor(register, machines, 'Site'), plainStyle);
    expect(text).toMatchInlineSnapshot(`
      "asset from assets.csv: 3 of 5 assets have a host; the fleet has 6 hosts

      SITE     ASSETS  WITH HOST  WITHOUT HOST  WITHOUT KEY  REPEATED KEY  HOSTS WITHOUT ASSET  HOSTS WITHOUT KEY  HOSTS WITH UNKNOWN KEY  HOSTS WITH SHARED KEY
      (empty)  1       1          0             0            1             0                    0                  0                       0
      Berlin   2       1          1             0            1             0                    0                  0                       0
      Wien     2       1          0             1            0             0                    0                  0                       2
      Total    5       3          1             1            2             1                    1                  1                       2

      1 asset without a host
      KEY  SITE    WHERE
      A2   Berlin  assets.csv:3

      1 asset without a usable key
      KEY  SITE  WHERE
      -    Wien  assets.csv:5

      2 assets that repeat a key
      KEY  SITE    WHERE
      A1   Berlin  assets.csv:2
      a1   -       assets.csv:6

      1 host without an asset
      KEY  SITE  WHERE
      B1   -     |evil\` (4)

      1 host without a usable key
      KEY   SITE  WHERE
      0000  -     (no name) (5)

      1 host with an unknown key: it may have an asset
      KEY  SITE  WHERE
      -    -     SIX (6)

      2 hosts that share their key
      KEY  SITE  WHERE
      A3   Wien  TWO (2)
      a3   Wien  THREE (3)
      "
    `);
  });

  it('is Markdown in which no name is markup', () => {
    const lines = coverageMarkdown(coverageFor(register, machines, 'Site')).split('\n');
    expect(lines[0]).toBe('### `asset`: 3 of 5 assets have a host; the fleet has 6 hosts');
    for (const line of [
      '| `Berlin` | 2 | 1 | 1 | 0 | 1 | 0 | 0 | 0 | 0 |',
      '| Total | 5 | 3 | 1 | 1 | 2 | 1 | 1 | 1 | 2 |',
      '<details><summary>1 asset without a host</summary>',
      '| `A2` | `Berlin` | `assets.csv:3` |',
      '| `a1` |  | `assets.csv:6` |',
      '| `B1` | <code>&#124;evil&#96;</code> | 4 |',
      '| `0000` | (no name) | 5 |',
      '|  | `SIX` | 6 |',
      '| `a3` | `Wien` | `THREE` | 3 |',
    ])
      expect(lines).toContain(line);
    expect(lines.filter((line) => line === '</details>')).toHaveLength(7);
  });
});

describe('the coverage of all tables of a plan', () => {
  function columnsOf(csv: string, more = ''): readonly (readonly string[])[] {
    const given = `tables:
  - { name: asset, file: assets.csv, key: Serial, join: host.inventory.hardware.serviceTag${more} }
`;
    const inputs = inputsFor(given, { 'assets.csv': csv }, [{ id: 1, serial: 'A1', groupId: 17 }]);
    return coverageOfTables(inputs).map(({ columns }) => columns.map(({ column }) => column));
  }
  const table = (...values: string[]) =>
    `Serial,Site,Kind\n${values.map((value, index) => `A${index},${value},laptop\n`).join('')}`;
  const sites = (count: number) => Array.from({ length: count }, (_, index) => `site ${index}`);

  it.each<[string, string, string, readonly (readonly string[])[]]>([
    ['a column with two values', table('a', 'b'), '', [['Site']]],
    ['no column with one value', table('a', 'a'), '', [[]]],
    ['a column with a value and empty cells', table('a', ''), '', [['Site']]],
    ['a column with 20 values', table(...sites(20)), '', [['Site']]],
    ['no column with 21 values', table(...sites(21)), '', [[]]],
    ['no column of a table with too few rows', table('a', 'b'), ', limits: { rows: 3 }', []],
    ['a column of a table that repeats its key', `${table('a')}A0,b,laptop\n`, '', [['Site']]],
  ])('is grouped by %s', (_, csv, more, expected) => {
    expect(columnsOf(csv, more)).toEqual(expected);
  });

  it('has the counts of each group, and the group of each host', () => {
    const inputs = inputsFor(yaml, { 'assets.csv': 'Serial,Site\nA1,Wien\nA2,\n' }, [
      { id: 1, serial: 'A1', groupId: 17 },
      { id: 2, serial: 'B1', groupId: 17 },
    ]);
    const [coverage] = coverageOfTables(inputs);
    expect(coverage?.columns[0]?.groups.map(({ value, assets }) => [value, assets])).toEqual([
      [undefined, 1],
      ['Wien', 1],
    ]);
    expect(coverage?.groups).toEqual([]);
    expect(coverage?.findings.at(-1)?.host).toEqual({ id: '2', name: null, group: 'Berlin' });
  });
});

describe('any coverage', () => {
  const key = fc.constantFrom('S1', 's1', 'S2', 'S3', '', '0000');
  const machine = fc.option(key, { nil: undefined });

  it('puts each row and each host either into a pair or into exactly one gap', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 6 }), fc.array(machine, { maxLength: 6 }), (keys, serials) => {
        const hosts = serials.map((serial, index) => ({
          id: index + 1,
          ...(serial === undefined ? {} : { serial }),
        }));
        const rows = keys.map((each, index) => `${each},site ${index % 2}\n`).join('');
        const { total, groups } = coverageFor(rows, hosts, 'Site');
        const sum = (gaps: readonly CoverageGap[]) => gaps.reduce((all, gap) => all + total.gaps[gap], 0);
        expect(total.assetsWithHost + sum(['asset-without-host', 'asset-without-key'])).toBe(keys.length);
        const joined = hosts.filter(
          ({ serial }) =>
            serial !== undefined &&
            serial !== '' &&
            serial !== '0000' &&
            keys.some((each) => each.toLowerCase() === serial.toLowerCase()),
        );
        const apart = sum(['host-without-asset', 'host-without-key', 'host-with-unknown-key']);
        expect(joined.length + apart).toBe(hosts.length);
        expect(groups.reduce((all, { assets }) => all + assets, 0)).toBe(keys.length);
      }),
      casesOf(300),
    );
  });
});
