import { didYouMean, nearest, quoted } from '../../lib/words.ts';
import type { AssetTable, TableRecord } from '../../model/asset-table.ts';
import { columnPath } from '../../model/column-path.ts';
import type { Desired } from '../../model/desired.ts';
import { allowance } from '../../model/policy.ts';
import { note, type Problem, problem } from '../../problem/problem.ts';
import { expressionsOf } from '../intents/expressions-of.ts';
import { tableIndex } from '../intents/table-index.ts';

/** The tables of the last run by name; absent if there is no record of a run. */
export type LastTables = ReadonlyMap<string, TableRecord>;

/**
 * Reasons not to rely on a table. A table that ended early looks like a register that lost its machines, so each of
 * them refuses the plan.
 */
export function tableProblems(
  desired: Desired,
  last: LastTables | undefined,
  now: string,
): readonly Problem[] {
  const { tables = [] } = desired;
  return [
    ...tables.flatMap((table) => [
      ...sizeProblems(table, last?.get(table.name)),
      ...ageProblems(table, now),
      ...keyProblems(table),
    ]),
    ...columnProblems(desired, tables),
  ];
}

function sizeProblems(table: AssetTable, last: TableRecord | undefined): readonly Problem[] {
  const { name, rows, limits, place, origin } = table;
  const what = `table "${name}" (${origin})`;
  if (rows.count === 0 || rows.count < limits.rows) {
    const count = rows.count === 0 ? 'no rows' : `${countOf(rows.count)}, fewer than ${limits.rows}`;
    return [
      problem('table-incomplete', `${what} has ${count}`, {
        place,
        hint: 'check that the export is complete; "limits" of the table sets the fewest rows',
      }),
    ];
  }
  if (last === undefined) {
    return [
      note(
        'table-incomplete',
        `${what} has ${countOf(rows.count)}; no earlier run recorded how many it had`,
        {
          place,
          ...(limits.rows > 1
            ? {}
            : { hint: 'set "rows" in "limits" of the table to the fewest rows that are plausible' }),
        },
      ),
    ];
  }
  const lost = last.rows - rows.count;
  if (lost <= 0 || lost <= allowance(limits.shrink, last.rows)) return [];
  return [
    problem(
      'table-incomplete',
      `${what} has ${countOf(rows.count)}, and had ${last.rows} when the last run ended`,
      {
        place,
        hint: 'check that the export is complete; if the rows were removed on purpose, raise "shrink" in "limits" of the table for one run',
      },
    ),
  ];
}

function ageProblems(
  { name, limits: { ageMs }, changedAt, place, origin }: AssetTable,
  now: string,
): readonly Problem[] {
  if (ageMs === undefined) return [];
  if (changedAt === undefined) {
    return [
      problem('table-old', `table "${name}" (${origin}) has an age limit, but its source reports no time`, {
        place,
        hint: 'remove "age" from "limits" of the table',
      }),
    ];
  }
  if (Date.parse(now) - Date.parse(changedAt) <= ageMs) return [];
  return [
    problem(
      'table-old',
      `table "${name}" (${origin}) was last changed at ${changedAt}, which is older than its limit`,
      {
        place,
        hint: 'export the table again, or raise "age" in "limits" of the table',
      },
    ),
  ];
}

function keyProblems(table: AssetTable): readonly Problem[] {
  const { name, key, rows, place } = table;
  if (rows.count === 0) return [];
  if (!rows.columns.includes(key)) return [unknownColumn(table, key, `table "${name}"`, place)];
  const { repeated, withoutKey } = tableIndex(table);
  const without =
    withoutKey === 0
      ? []
      : [
          note(
            'table-key',
            `table "${name}" has ${withoutKey} ${withoutKey === 1 ? 'row' : 'rows'} without a usable ${quoted(key)}: they belong to no host`,
            { place },
          ),
        ];
  return [
    ...repeated.map(([earlier, later]) =>
      problem('table-key', `two rows of table "${name}" have the same ${quoted(key)}`, {
        place: rows.positionOf(later, key),
        related: [rows.positionOf(earlier, key)],
        hint: 'a key identifies one row: correct the register, or leave out one of the rows',
      }),
    ),
    ...without,
  ];
}

/** Expressions that read a column that the table does not have: its header may have changed. */
function columnProblems(desired: Desired, tables: readonly AssetTable[]): readonly Problem[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const typed = tables.flatMap((table) =>
    [...table.types.keys()]
      .filter((column) => table.rows.count > 0 && !table.rows.columns.includes(column))
      .map((column) => unknownColumn(table, column, `table "${table.name}"`, table.place)),
  );
  const read = expressionsOf(desired).flatMap(({ expression, label, place }) => {
    const missing = new Map(
      (expression.columns ?? []).flatMap((use) => {
        const table = byName.get(use.table);
        const isMissing =
          table !== undefined && table.rows.count > 0 && !table.rows.columns.includes(use.column);
        return isMissing ? [[columnPath(use), { table, column: use.column }] as const] : [];
      }),
    );
    return [...missing.values()].map(({ table, column }) => unknownColumn(table, column, label, place()));
  });
  return [...typed, ...read];
}

/** The problem of an expression, a key or a flag, `label`, that names a column that the table does not have. */
export function unknownColumn(
  { name, rows }: AssetTable,
  column: string,
  label: string,
  place: Problem['place'],
): Problem {
  return problem('table-column', `${label}: the table "${name}" has no column ${quoted(column)}`, {
    ...(place === undefined ? {} : { place }),
    hint:
      didYouMean(nearest(column, rows.columns)) ??
      `its columns are ${rows.columns.slice(0, 20).map(quoted).join(', ')}`,
  });
}

function countOf(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`;
}
