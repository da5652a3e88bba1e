import type { KnownFleet } from '../../accounts/engine/read-facts.ts';
import { count } from '../../core/lib/words.ts';
import type { Condition } from '../../core/model/expression.ts';
import { type FactNeeds, type Facts, joinNeeds } from '../../core/model/facts.ts';
import { hostsOf, type ObservedHost } from '../../core/model/observed.ts';
import { customFieldJudge } from '../../core/plan/intents/custom-field-problems.ts';
import { subjectOf } from '../../core/plan/intents/subject.ts';
import {
  failed,
  hasErrors,
  ok,
  type Problem,
  problem,
  type Result,
  warning,
} from '../../core/problem/problem.ts';
import type { Column } from '../../output/review/columns.ts';
import type { FactedHost } from '../../output/review/host-columns.ts';
import { sortRows } from '../../output/review/sort-rows.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { readKnownFleet } from '../service/read-fleet.ts';
import type { Context } from '../shell/context.ts';
import { chooseColumns, needsOfColumns, type SortIntent } from './choose-columns.ts';
import { printListing } from './print-listing.ts';

/** Reads `--where`, if given. Only then is the expression code loaded. */
export async function readWhere(source: string | undefined): Promise<Result<Condition | undefined>> {
  return source === undefined
    ? ok(undefined)
    : (await import('./read-condition.ts')).conditionFlag(source, '--where');
}

/** The hosts that match a condition. A host without a result is a failure, because the user may have meant it. */
export function hostsWhere(
  condition: Condition | undefined,
  { observed, facts }: Pick<KnownFleet, 'observed'> & { readonly facts: Facts },
  flag = '--where',
): Result<readonly ObservedHost[]> {
  const all = hostsOf(observed);
  if (condition === undefined) return ok(all);
  const misnamed = customFieldJudge(observed, facts)(condition.customFields, flag, () => undefined);
  if (hasErrors(misnamed)) return failed(...misnamed);
  const ask = condition.begin();
  const chosen: ObservedHost[] = [];
  const guessed: ObservedHost[] = [];
  for (const host of all) {
    const answer = ask(subjectOf(host, observed, facts));
    if (!answer.ok) {
      return failed(
        problem('usage', `${flag} can't be evaluated for host ${host.id}: ${answer.fault.message}`, {
          hostIds: [host.id],
        }),
      );
    }
    if (answer.value) chosen.push(host);
    if (answer.guessed === true) guessed.push(host);
  }
  return ok(chosen, [...misnamed, ...guessWarnings(guessed, flag)]);
}

function guessWarnings(hosts: readonly ObservedHost[], flag: string): readonly Problem[] {
  if (hosts.length === 0) return [];
  const message = `${flag} matches ${count(hosts.length, 'host')} only because a fact that it reads is unknown`;
  const hint = 'test the fact with has(…), or fetch it: inventory comes from "rampart hosts inventory pull"';
  return [warning('unknown-facts', message, { hint, hostIds: hosts.map(({ id }) => id) })];
}

/** Hosts as rows of a list. */
export function hostRows(
  hosts: readonly ObservedHost[],
  { observed, facts }: Pick<KnownFleet, 'observed' | 'facts'>,
): readonly FactedHost[] {
  return hosts.map((host) => ({
    host,
    group: observed.groupById(host.groupId),
    fields: facts.customFieldsOf(host.id) ?? {},
  }));
}

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
