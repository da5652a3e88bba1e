import { defined } from '../lib/defined.ts';
import { compareNaturally } from '../lib/natural-order.ts';
import type { AssetTable } from '../model/asset-table.ts';
import type { HostId } from '../model/observed.ts';
import { type FilePosition, hasErrors, type Problem } from '../problem/problem.ts';
import { tableProblems } from './guards/table-problems.ts';
import { assetKey } from './intents/asset-key.ts';
import { fleetFacts } from './intents/fleet-facts.ts';
import { subjectsAt } from './intents/subject.ts';
import type { PlanInputs } from './types/plan-inputs.ts';

/**
 * The ways in which a table and the fleet disagree. A row or a host `without-key` has none that identifies a machine. The
 * key of a host with an `unknown-key` could not be read, so the host may have a row.
 */
export const coverageGaps = [
  'asset-without-host',
  'asset-without-key',
  'duplicate-asset',
  'host-without-asset',
  'host-without-key',
  'host-with-unknown-key',
  'duplicate-host',
] as const;

export type CoverageGap = (typeof coverageGaps)[number];

/** A row or a host that has no counterpart, or shares its key with another one. */
export interface CoverageFinding {
  readonly gap: CoverageGap;
  /** As the row or the host has it; absent if there is none. */
  readonly key?: string;
  /** The cell of the column by which the report is grouped; absent for an empty cell, and for a host without a row. */
  readonly value?: string;
  readonly host?: { readonly id: HostId; readonly name: string | null; readonly group: string | null };
  /** The position of the row; absent for a host. */
  readonly place?: FilePosition;
}

/** The rows that have the same value in a column, with the hosts that have one of these rows. */
export interface CoverageGroup {
  /** Absent for empty cells, and for the whole table. */
  readonly value?: string;
  readonly assets: number;
  readonly assetsWithHost: number;
  readonly gaps: Readonly<Record<CoverageGap, number>>;
}

/** How well a table and the fleet agree. */
export interface TableCoverage {
  readonly table: string;
  readonly origin: string;
  readonly hash: string;
  readonly changedAt?: string;
  /** When the fleet was read. */
  readonly takenAt: string;
  readonly hosts: number;
  readonly total: CoverageGroup;
  /** The column that groups the rows; absent if they are not grouped. */
  readonly by?: string;
  readonly groups: readonly CoverageGroup[];
  /** In the order of `coverageGaps`, then in the order of the table or of the list. */
  readonly findings: readonly CoverageFinding[];
}

type CoverageInputs = Pick<PlanInputs, 'desired' | 'observed' | 'facts' | 'now'>;

/** What makes a report about these tables worthless. Repeated keys and rows without one are findings of the report itself. */
export function faultsOfTables(
  { desired, lastTables, now }: PlanInputs,
  tables: readonly AssetTable[],
): readonly Problem[] {
  return tableProblems({ ...desired, tables }, lastTables, now).filter(({ code }) => code !== 'table-key');
}

/** The reports about the tables of a plan, grouped by each column with few values. */
export function coverageOfTables(inputs: PlanInputs): readonly CoverageByColumn[] {
  const { tables = [] } = inputs.desired;
  return tables.flatMap((table) => {
    if (hasErrors(faultsOfTables(inputs, [table]))) return [];
    const join = joinOf(table, inputs);
    const columns = table.rows.columns.filter((column) => column !== table.key && isGrouping(table, column));
    return {
      ...coverageOf(table, inputs, undefined, join),
      columns: columns.map((column) => ({ column, groups: coverageOf(table, inputs, column, join).groups })),
    };
  });
}

/** A report with the groups of its rows by several columns. */
export interface CoverageByColumn extends TableCoverage {
  readonly columns: readonly { readonly column: string; readonly groups: readonly CoverageGroup[] }[];
}

/** Does the column have more than one value, and few enough to compare them? */
function isGrouping({ rows }: AssetTable, column: string): boolean {
  const values = new Set<string | undefined>();
  for (let row = 0; row < rows.count && values.size <= mostGroups; row += 1)
    values.add(rows.cellAt(row, column));
  return values.size > 1 && values.size <= mostGroups;
}

const mostGroups = 20;

/** Joins a table to the fleet as a plan does, and reports rows and hosts without a counterpart. */
export function coverageOf(
  table: AssetTable,
  inputs: CoverageInputs,
  by?: string,
  join = joinOf(table, inputs),
): TableCoverage {
  const { name, origin, hash, changedAt, rows } = table;
  const { observed } = inputs;
  const valueOf = (row: number) => (by === undefined ? undefined : rows.cellAt(row, by));
  const findings: CoverageFinding[] = [];
  const total = emptyGroup();
  const groups = new Map<string | undefined, GroupTally>();
  const find = (gap: CoverageGap, group: GroupTally | undefined, finding: Omit<CoverageFinding, 'gap'>) => {
    for (const each of [total, group]) if (each !== undefined) each.gaps[gap] += 1;
    findings.push({ gap, ...finding });
  };

  for (const [row, key] of join.rowKeys.entries()) {
    const value = valueOf(row);
    const group = groups.get(value) ?? { ...(value === undefined ? {} : { value }), ...emptyGroup() };
    groups.set(value, group);
    const isJoined = join.hostsWith(key) > 0;
    for (const each of [total, group]) {
      each.assets += 1;
      if (isJoined) each.assetsWithHost += 1;
    }
    const place = rows.positionOf(row, table.key);
    for (const gap of rowGaps(key, join)) find(gap, group, { ...defined({ key, value }), place });
  }
  for (const [index, key] of join.hostKeys.entries()) {
    const row = join.rowWith(key);
    const value = row === undefined ? undefined : valueOf(row);
    const { id, name: hostName, groupId } = observed.at(index);
    const host = { id, name: hostName, group: observed.groupById(groupId)?.name ?? null };
    const group = row === undefined ? undefined : groups.get(value);
    for (const gap of hostGaps(key, join)) find(gap, group, { ...defined({ key, value }), host });
  }
  return {
    table: name,
    origin,
    hash,
    ...defined({ changedAt }),
    takenAt: observed.takenAt,
    hosts: observed.count,
    total,
    ...defined({ by }),
    groups:
      by === undefined
        ? []
        : [...groups.values()].toSorted((a, b) => compareNaturally(a.value ?? '', b.value ?? '')),
    findings: findings.toSorted((a, b) => coverageGaps.indexOf(a.gap) - coverageGaps.indexOf(b.gap)),
  };
}

interface Join {
  /** The key of each row and of each host, as it is written; undefined for an empty cell, and if it is unknown. */
  readonly rowKeys: readonly (string | undefined)[];
  readonly hostKeys: readonly (string | undefined)[];
  /** How many rows and hosts have this key; 0 for a key that identifies nothing. */
  rowsWith(key: string | undefined): number;
  hostsWith(key: string | undefined): number;
  /** The first row with this key. */
  rowWith(key: string | undefined): number | undefined;
}

function joinOf({ rows, key, join }: AssetTable, inputs: CoverageInputs): Join {
  const { observed } = inputs;
  const subjectAt = subjectsAt(observed, fleetFacts(inputs, observed));
  const keyOf = join.begin();
  const rowKeys = Array.from({ length: rows.count }, (_, row) => rows.cellAt(row, key));
  const hostKeys = Array.from({ length: observed.count }, (_, index) => {
    const found = keyOf(subjectAt(index));
    return found.ok ? found.value : undefined;
  });
  const ofRows = Map.groupBy(rowKeys.keys(), (row) => usable(rowKeys[row]));
  const ofHosts = Map.groupBy(hostKeys.keys(), (index) => usable(hostKeys[index]));
  const find = (index: typeof ofRows, text: string | undefined) => {
    const folded = usable(text);
    return folded === undefined ? undefined : index.get(folded);
  };
  return {
    rowKeys,
    hostKeys,
    rowsWith: (text) => find(ofRows, text)?.length ?? 0,
    hostsWith: (text) => find(ofHosts, text)?.length ?? 0,
    rowWith: (text) => find(ofRows, text)?.[0],
  };
}

function rowGaps(key: string | undefined, join: Join): readonly CoverageGap[] {
  if (usable(key) === undefined) return ['asset-without-key'];
  return [
    ...(join.hostsWith(key) === 0 ? (['asset-without-host'] as const) : []),
    ...(join.rowsWith(key) > 1 ? (['duplicate-asset'] as const) : []),
  ];
}

function hostGaps(key: string | undefined, join: Join): readonly CoverageGap[] {
  if (key === undefined) return ['host-with-unknown-key'];
  if (usable(key) === undefined) return ['host-without-key'];
  return [
    ...(join.rowsWith(key) === 0 ? (['host-without-asset'] as const) : []),
    ...(join.hostsWith(key) > 1 ? (['duplicate-host'] as const) : []),
  ];
}

function usable(key: string | undefined): string | undefined {
  return key === undefined ? undefined : assetKey(key);
}

interface GroupTally extends CoverageGroup {
  assets: number;
  assetsWithHost: number;
  readonly gaps: Record<CoverageGap, number>;
}

function emptyGroup(): GroupTally {
  const gaps = Object.fromEntries(coverageGaps.map((gap) => [gap, 0])) as Record<CoverageGap, number>;
  return { assets: 0, assetsWithHost: 0, gaps };
}
