import type { Connection } from '../../accounts/engine/connection.ts';
import type { Clock } from '../../core/lib/surroundings.ts';
import { count, firstFew, grouped } from '../../core/lib/words.ts';
import type { Condition } from '../../core/model/expression.ts';
import { joinNeeds, needsNothing } from '../../core/model/facts.ts';
import {
  type AntivirusFact,
  type HostId,
  hostsOf,
  mayBeUnreadable,
  type ObservedHost,
} from '../../core/model/observed.ts';
import { allOf, asWarning, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { Color } from '../../output/review/color.ts';
import type { Column } from '../../output/review/columns.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import { type FactedHost, hostColumns } from '../../output/review/host-columns.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../run/apply/exit-code.ts';
import type { Client } from '../../service/client/client.ts';
import { readAntivirus } from '../../service/wire/read-antivirus.ts';
import { type RefreshOutcome, sendRefresh } from '../../service/wire/send-refresh.ts';
import { findHost } from '../listing/find-host.ts';
import { hostsWhere, readWhere } from '../listing/list-hosts.ts';
import { printListing } from '../listing/print-listing.ts';
import { readKnownOn, withConnection } from '../service/read-fleet.ts';
import { refuseWriting } from '../service/refuse-writing.ts';
import { type Context, hearStop } from '../shell/context.ts';

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
  const found = allOf(words.map((word) => findHost(word, all)));
  if (!found.ok) return found;
  const ids = new Set(found.value.map(({ id }) => id));
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

/** The result of a refresh for one host. */
interface RefreshRow {
  readonly host: ObservedHost;
  readonly outcome: RefreshOutcome;
  /** Whether the status in the list has changed since; null if it was not checked. */
  readonly reported: boolean | null;
}

function refreshColumns(waited: boolean): readonly Column<RefreshRow>[] {
  const { id, name, online } = hostColumns;
  return [...[id, name, online].map(ofHost), outcomeColumn, ...(waited ? [reportedColumn] : [])];
}

const outcomeColumn: Column<RefreshRow> = {
  key: 'outcome',
  kind: 'fixed',
  value: ({ outcome }) => outcome,
  cell: ({ outcome }, color) => ({ text: outcome, paint: color[outcomeColors[outcome]] }),
};

const reportedColumn: Column<RefreshRow> = {
  key: 'reported',
  kind: 'fixed',
  value: ({ reported }) => reported,
  cell: ({ reported }) => ({ text: reported === null ? '-' : reported ? 'something new' : 'nothing new' }),
};

function ofHost(column: Column<FactedHost>): Column<RefreshRow> {
  const toHostRow = ({ host }: RefreshRow): FactedHost => ({ host, group: undefined, fields: {} });
  const { cell } = column;
  return {
    key: column.key,
    kind: column.kind,
    ...(column.heading === undefined ? {} : { heading: column.heading }),
    value: (row) => column.value(toHostRow(row)),
    ...(cell === undefined ? {} : { cell: (row, color) => cell(toHostRow(row), color) }),
  };
}

const outcomeColors: Readonly<Record<RefreshOutcome, keyof Color>> = {
  sent: 'green',
  'not-delivered': 'yellow',
  unknown: 'yellow',
  'not-sent': 'red',
};

/** What is known about the reports after a wait. */
function reportWords(rows: readonly RefreshRow[], waitMs: number): string {
  const sent = rows.filter(({ outcome }) => outcome === 'sent');
  const silent = sent.filter(({ reported }) => reported !== true).length;
  if (sent.length === 0) return 'No host received the command, so there was nothing to wait for.';
  if (silent === 0)
    return `All of the ${count(sent.length, 'host')} that received the command reported something new.`;
  return `${sent.length - silent} of ${count(sent.length, 'host')} that received the command reported something new within ${durationWords(waitMs)}. The result of the rest is unknown: the service does not show when a host answered, and a host that reports the same status as before looks like one that did not answer.`;
}

const shownHosts = 10;

/** The problems of whole calls, and the hosts that did not receive the command. */
function problemsOf(rows: readonly RefreshRow[], calls: readonly Problem[]): readonly Problem[] {
  const unreached = rows.filter(({ outcome }) => outcome !== 'sent');
  const onlyCalls =
    unreached.every(({ outcome }) => outcome === 'not-sent') && unreached.length === rows.length;
  if (unreached.length === 0 || (onlyCalls && calls.length > 0)) return calls;
  return [
    ...calls,
    problem(
      'step-failed',
      `${grouped(unreached.length)} of ${count(rows.length, 'host')} may not have received the command: ${firstFew(unreached, shownHosts, hostWords)}`,
      {
        hint: 'try again when the offline hosts are back online',
        hostIds: unreached.map(({ host }) => host.id),
      },
    ),
  ];
}

function hostWords({ host, outcome }: RefreshRow): string {
  return `${host.name ?? '(no name)'} (${host.id}, ${host.online ? outcome : 'offline'})`;
}

interface AwaitOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The maximum wait in milliseconds. */
  readonly waitMs: number;
  readonly stop: AbortSignal;
}

interface Reported {
  /** Hosts whose status in the list has changed. */
  readonly changed: ReadonlySet<HostId>;
  /** Why the wait ended early; a warning. */
  readonly problems: readonly Problem[];
}

const firstPauseMs = 5000;
const longestPauseMs = 60_000;

/** Reads the anti-virus list repeatedly until the status of each host has changed, or the time is over. */
async function awaitReports(
  before: ReadonlyMap<HostId, AntivirusFact | undefined>,
  { client, clock, waitMs, stop }: AwaitOptions,
): Promise<Reported> {
  const end = clock.now() + waitMs;
  const changed = new Set<HostId>();
  for (
    let pauseMs = firstPauseMs;
    changed.size < before.size;
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  ) {
    const leftMs = end - clock.now();
    if (leftMs <= 0) break;
    await clock.sleep(Math.min(pauseMs, leftMs), stop);
    if (stop.aborted) break;
    const list = await readAntivirus(client, { clock, stop, maxWaitMs: Math.max(0, end - clock.now()) });
    if (!list.ok) return { changed, problems: stop.aborted ? [] : list.problems.map(asWarning) };
    for (const [id, fact] of before) {
      const now = list.value.facts.get(id);
      if (now === undefined && mayBeUnreadable(list.value, id)) continue;
      if (!isSame(fact, now)) changed.add(id);
    }
  }
  return { changed, problems: [] };
}

/** All facts are made by the same code, so their members are in the same order. */
function isSame(a: AntivirusFact | undefined, b: AntivirusFact | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
