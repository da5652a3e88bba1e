import type { Connection } from '../../accounts/engine/connection.ts';
import type { Condition } from '../../core/model/expression.ts';
import { joinNeeds, needsNothing } from '../../core/model/facts.ts';
import { hostsOf, type ObservedHost } from '../../core/model/observed.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../run/apply/exit-code.ts';
import { sendRefresh } from '../../service/wire/send-refresh.ts';
import { findHost } from '../listing/find-host.ts';
import { hostsWhere, readWhere } from '../listing/hosts-where.ts';
import { printListing } from '../listing/print-listing.ts';
import { awaitReports } from '../service/await-reports.ts';
import { readKnownOn, withConnection } from '../service/read-fleet.ts';
import { problemsOf, type RefreshRow, refreshColumns, reportWords } from '../service/refresh-rows.ts';
import { refuseWriting } from '../service/refuse-writing.ts';
import type { Context } from '../shell/context.ts';
import { hearStop } from '../shell/stop-signal.ts';

export interface RefreshFlags {
  /** An expression. */
  readonly where?: string;
  readonly all?: true;
  /** Milliseconds. */
  readonly wait?: number;
}

interface RefreshJob {
  /** Ids or names. */
  readonly words: readonly string[];
  readonly condition: Condition | undefined;
  readonly waitMs: number | undefined;
  readonly stop: AbortSignal;
}

/** Asks hosts to report their anti-virus status, prints the result for each, and may wait for the reports. */
export async function antivirusRefreshCommand(
  context: Context,
  flags: RefreshFlags,
  words: readonly string[],
): Promise<ExitCode> {
  const refusal =
    refuseWriting(context, 'a refresh sends a command to hosts') ?? selectionMisuse(flags, words);
  if (refusal !== undefined) return context.fail([refusal]);
  const condition = await readWhere(flags.where);
  if (!condition.ok) return context.fail(condition.problems);

  const stop = hearStop(context);
  const job: RefreshJob = { words, condition: condition.value, waitMs: flags.wait, stop: stop.signal };
  const done = await withConnection(context, (connection) => refresh(connection, job, context)).finally(
    stop.end,
  );
  if (!done.ok) return context.fail(done.problems);

  const { rows, problems } = done.value;
  printListing(context, rows, refreshColumns(flags.wait !== undefined));
  if (rows.length === 0) context.log('No host matches: nothing was sent.');
  else if (flags.wait !== undefined) context.log(reportWords(rows, flags.wait));
  const all = [...done.problems, ...problemsOf(rows, problems)];
  context.report(all);
  return stop.signal.aborted ? exitCodes.interrupted : exitCodeOf(all);
}

interface RefreshDone {
  readonly rows: readonly RefreshRow[];
  readonly problems: readonly Problem[];
}

async function refresh(
  connection: Connection,
  { words, condition, waitMs, stop }: RefreshJob,
  context: Context,
): Promise<Result<RefreshDone>> {
  const { client } = connection;
  const needs = joinNeeds([
    { ...needsNothing, antivirus: waitMs !== undefined },
    condition?.needs ?? needsNothing,
  ]);
  const fleet = await readKnownOn(connection, context, needs, stop);
  if (!fleet.ok) return fleet;
  const { observed, facts } = fleet.value;
  const chosen =
    words.length === 0 ? hostsWhere(condition, { observed, facts }) : namedHosts(words, hostsOf(observed));
  if (!chosen.ok) return chosen;
  const hosts = chosen.value;
  const { outcomes, problems } = await sendRefresh(
    hosts.map(({ id }) => id),
    { client, stop, batchSize: 1000 },
  );
  const waiting = hosts.filter(({ id }) => outcomes.get(id) === 'sent');
  const reports =
    waitMs === undefined
      ? undefined
      : await awaitReports(new Map(waiting.map(({ id, antivirus }) => [id, antivirus])), {
          client,
          clock: context.io.clock,
          waitMs,
          stop,
        });
  const rows = hosts.map((host): RefreshRow => {
    const outcome = outcomes.get(host.id) ?? 'not-sent';
    const reported = reports === undefined || outcome !== 'sent' ? null : reports.changed.has(host.id);
    return { host, outcome, reported };
  });
  return ok({ rows, problems: [...problems, ...(reports?.problems ?? [])] }, fleet.problems);
}

/** Reports all invalid words at once; nothing is sent if there are any. */
function namedHosts(words: readonly string[], all: readonly ObservedHost[]): Result<readonly ObservedHost[]> {
  const found = words.map((word) => findHost(word, all));
  const problems = found.flatMap((each) => (each.ok ? [] : each.problems));
  if (problems.length > 0) return failed(...problems);
  const ids = new Set(found.flatMap((each) => (each.ok ? [each.value.id] : [])));
  return ok(all.filter(({ id }) => ids.has(id)));
}

function selectionMisuse({ where, all }: RefreshFlags, words: readonly string[]): Problem | undefined {
  const ways = [words.length > 0, where !== undefined, all === true].filter(Boolean).length;
  if (ways === 1) return undefined;
  return ways === 0
    ? problem('usage', 'no hosts are selected', {
        hint: "add host ids or names, --where 'host.online', or --all",
      })
    : problem('usage', 'hosts are selected in more than one way', {
        hint: 'use only one of host ids or names, --where, and --all',
      });
}
