import { describe, expect, it } from 'vitest';
import type { AssetTable } from '../../../../src/core/model/asset-table.ts';
import { tableProblems } from '../../../../src/core/plan/guards/table-problems.ts';
import { at } from '../../../given/fleet.ts';
import { readFleet } from '../../../given/register.ts';

const later = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
const minuteMs = 60_000;

interface Given {
  readonly csv: string;
  /** More lines of the table's declaration. */
  readonly more?: string;
  readonly rules?: string;
  /** The number of rows at the end of the last run; no run if absent. */
  readonly last?: number;
  readonly now?: string;
  /** Without the time at which the source changed. */
  readonly isTimeless?: boolean;
}

function problemsOf({ csv, more = '', rules = '', last, now = at, isTimeless = false }: Given) {
  const yaml = `tables:
  - name: asset
    file: a.csv
    key: Serial
    join: host.name
    ${more}
${rules}`;
  const read = readFleet(yaml, { 'a.csv': csv });
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const { tables = [] } = read.value;
  const desired = isTimeless ? { ...read.value, tables: tables.map(withoutTime) } : read.value;
  const record =
    last === undefined ? undefined : new Map([['asset', { name: 'asset', rows: last, hash: '' }]]);
  return tableProblems(desired, record, now).map(({ severity, code, message, hint, place }) =>
    [`${severity} ${code}: ${message}`, ...(hint === undefined ? [] : [hint]), `line ${place?.line}`].join(
      ' | ',
    ),
  );
}

function withoutTime(table: AssetTable): AssetTable {
  const own = { ...table };
  delete own.changedAt;
  return own;
}

const two = 'Serial,Name\nS1,a\nS2,b\n';
const complete = 'check that the export is complete; "limits" of the table sets the fewest rows';
const removed =
  'check that the export is complete; if the rows were removed on purpose, raise "shrink" in "limits" of the table for one run';

describe('a table', () => {
  it.each<[what: string, given: Given, problems: readonly string[]]>([
    [
      'without rows refuses the plan, even if no limit says so',
      { csv: 'Serial,Name\n', more: 'limits: { rows: 0 }', last: 0 },
      [`error table-incomplete: table "asset" (a.csv) has no rows | ${complete} | line 3`],
    ],
    [
      'with fewer rows than its limit refuses the plan',
      { csv: two, more: 'limits: { rows: 3 }', last: 2 },
      [`error table-incomplete: table "asset" (a.csv) has 2 rows, fewer than 3 | ${complete} | line 3`],
    ],
    [
      'with one row too few says so in the singular',
      { csv: 'Serial\nS1\n', more: 'limits: { rows: 2 }', last: 1 },
      [`error table-incomplete: table "asset" (a.csv) has 1 row, fewer than 2 | ${complete} | line 3`],
    ],
    ['with exactly the fewest rows is fine', { csv: two, more: 'limits: { rows: 2 }', last: 2 }, []],
    [
      'that no run recorded is reported, with the limit that would help',
      { csv: two },
      [
        'note table-incomplete: table "asset" (a.csv) has 2 rows; no earlier run recorded how many it had | set "rows" in "limits" of the table to the fewest rows that are plausible | line 3',
      ],
    ],
    [
      'that lost exactly its share of rows is fine',
      { csv: two, more: 'limits: { shrink: 50% }', last: 4 },
      [],
    ],
    [
      'that lost one row more refuses the plan',
      { csv: two, more: 'limits: { shrink: 50% }', last: 5 },
      [
        `error table-incomplete: table "asset" (a.csv) has 2 rows, and had 5 when the last run ended | ${removed} | line 3`,
      ],
    ],
    ['that grew is fine if it may lose none', { csv: two, more: 'limits: { shrink: 0 }', last: 1 }, []],
    [
      'at its greatest age is fine',
      { csv: two, more: 'limits: { age: 10m }', last: 2, now: later(10 * minuteMs) },
      [],
    ],
    [
      'a millisecond older refuses the plan',
      { csv: two, more: 'limits: { age: 10m }', last: 2, now: later(10 * minuteMs + 1) },
      [
        `error table-old: table "asset" (a.csv) was last changed at ${at}, which is older than its limit | export the table again, or raise "age" in "limits" of the table | line 3`,
      ],
    ],
    [
      'with a limit but without a time refuses the plan',
      { csv: two, more: 'limits: { age: 10m }', last: 2, isTimeless: true },
      [
        'error table-old: table "asset" (a.csv) has an age limit, but its source reports no time | remove "age" from "limits" of the table | line 3',
      ],
    ],
    ['without such a limit may be of any age', { csv: two, last: 2, now: later(1e12) }, []],
    [
      'with one row without a key is reported in the singular',
      { csv: 'Serial,Name\nS1,a\n,b\n', last: 2 },
      ['note table-key: table "asset" has 1 row without a usable "Serial": they belong to no host | line 3'],
    ],
    [
      'with a type for a column that it has is fine',
      { csv: 'Serial,Desk\nS1,7\nS2,8\n', more: 'columns: [{ name: Desk, type: number }]', last: 2 },
      [],
    ],
    [
      'with a type for a column that it lost refuses the plan',
      { csv: two, more: 'columns: [{ name: Nam, type: number }]', last: 2 },
      [
        'error table-column: table "asset": the table "asset" has no column "Nam" | did you mean "Name"? | line 3',
      ],
    ],
    [
      'with a rule for a column that it lost refuses the plan, at the rule',
      { csv: two, rules: 'rules:\n  - { name: r, when: has(asset.Ort), group: Wien }', last: 2 },
      [
        'error table-column: rule "r": the table "asset" has no column "Ort" | its columns are "Serial", "Name" | line 9',
      ],
    ],
    [
      'without rows is not said to have lost columns too',
      {
        csv: 'Title\n',
        more: 'columns: [{ name: Name, type: number }]',
        rules: 'rules:\n  - { name: r, when: has(asset.Ort), group: Wien }',
        last: 2,
      },
      [`error table-incomplete: table "asset" (a.csv) has no rows | ${complete} | line 3`],
    ],
  ])('%s', (_, given, problems) => {
    expect(problemsOf(given)).toEqual(problems);
  });
});
