import type { KnownFleet } from '../../accounts/engine/read-facts.ts';
import { type FactNeeds, joinNeeds } from '../../core/model/facts.ts';
import type { ObservedHost } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { Column } from '../../output/review/columns.ts';
import type { FactedHost } from '../../output/review/host-columns.ts';
import { sortRows } from '../../output/review/sort-rows.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { readKnownFleet } from '../service/read-fleet.ts';
import type { Context } from '../shell/context.ts';
import { chooseColumns, needsOfColumns, type SortIntent } from './choose-columns.ts';
import { hostRows, hostsWhere, readWhere } from './hosts-where.ts';
import { printListing } from './print-listing.ts';

/** The flags of every list of hosts. */
export interface ListFlags {
  /** An expression. */
  readonly where?: string;
  readonly columns?: readonly string[];
  readonly sort?: SortIntent;
  readonly limit?: number;
}

export interface HostList {
  /** The default columns. */
  readonly columns: readonly string[];
  readonly needs: FactNeeds;
  /** Selects hosts in addition to the user's condition. */
  readonly filter?: (fleet: KnownFleet) => Result<(host: ObservedHost) => boolean>;
  /** Printed after the hosts. */
  readonly summary?: (rows: readonly FactedHost[]) => string;
}

/** Reads the data of a list, and prints it. */
export async function listHosts(context: Context, flags: ListFlags, list: HostList): Promise<ExitCode> {
  const condition = await readWhere(flags.where);
  if (!condition.ok) return context.fail(condition.problems);
  const keys = flags.columns ?? list.columns;
  const sortKeys = flags.sort === undefined ? [] : [flags.sort.column];
  const allKeys = [...keys, ...sortKeys];
  const needs = [list.needs, needsOfColumns(allKeys), ...(condition.value ? [condition.value.needs] : [])];

  const fleet = await readKnownFleet(context, joinNeeds(needs));
  if (!fleet.ok) return context.fail(fleet.problems);
  context.report(fleet.problems);
  const columns = chooseColumns(allKeys, fleet.value.facts.categories);
  if (!columns.ok) return context.fail(columns.problems);
  const belongs = list.filter?.(fleet.value) ?? ok(() => true);
  if (!belongs.ok) return context.fail(belongs.problems);
  const chosen = hostsWhere(condition.value, fleet.value);
  if (!chosen.ok) return context.fail(chosen.problems);

  const rows = hostRows(chosen.value.filter(belongs.value), fleet.value);
  const sortColumn = columns.value.at(-1) as Column<FactedHost>;
  const sorted = flags.sort === undefined ? rows : sortRows(rows, sortColumn, flags.sort.direction);
  printListing(context, sorted.slice(0, flags.limit), columns.value.slice(0, keys.length));
  if (context.settings.format === 'text') {
    if (rows.length === 0) context.log('No host matches.');
    else if (list.summary !== undefined) context.log(list.summary(rows));
  }
  return exitCodes.success;
}
