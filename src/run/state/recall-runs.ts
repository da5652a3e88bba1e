import type { Account } from '../../core/model/account.ts';
import type { TableRecord } from '../../core/model/asset-table.ts';
import {
  defaultInstallSettleMs,
  defaultInstallWindowMs,
  type InstallRecall,
} from '../../core/model/install-request.ts';
import type { NumberRecord } from '../../core/model/numbered-name.ts';
import type { HostId } from '../../core/model/observed.ts';
import type { Pace } from '../../core/plan/types/forecast.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { State } from './interface/state.ts';
import { recallInstalls } from './journal/recall.ts';
import { changesMade, replay } from './journal/replay.ts';
import { fleetSizeAfter, type RunDigest } from './journal/run-digest.ts';

export interface Recalled {
  readonly installs: InstallRecall;
  /** From the last run that learned one. */
  readonly pace?: Pace;
  /** How many hosts the last run left. */
  readonly fleetSize?: number;
  /** Each table as the latest run that used it recorded it, by name; absent if no run is recorded. */
  readonly tables?: ReadonlyMap<string, TableRecord>;
  /** The highest number that runs gave, for each kind of name; absent if no run is recorded. */
  readonly numbers?: readonly NumberRecord[];
}

export interface RecallWindows {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long a requested install that no list shows counts as pending, in milliseconds. */
  readonly windowMs?: number;
  /** How long a host may take to report after a refresh, in milliseconds. */
  readonly settleMs?: number;
}

/** How many runs are searched for a pace. */
const recent = 20;
/** A run that began before the window may have requested an install within it. */
const longestRunMs = 24 * 3600 * 1000;

/** The runs to request. */
export function recallQuery(account: Account, { now, windowMs = defaultInstallWindowMs }: RecallWindows) {
  return { account, since: now - windowMs - longestRunMs, atLeast: recent };
}

/** What earlier runs of this account left. A run that can't be read only costs calls. */
export async function recallRuns(
  state: Pick<State, 'listRuns' | 'clockSkewMs'>,
  account: Account,
  windows: RecallWindows,
): Promise<Result<Recalled>> {
  const skew = await state.clockSkewMs();
  if (!skew.ok) return skew;
  const { windowMs = defaultInstallWindowMs, settleMs = defaultInstallSettleMs } = windows;
  const now = windows.now + skew.value;
  const listed = await state.listRuns(recallQuery(account, { ...windows, now }));
  if (!listed.ok) return listed;
  const runs = listed.value;
  const latest = runs[0];
  const pace = runs.find((run) => run.pace !== undefined)?.pace;
  return ok({
    installs: {
      requests: byOwnClock(recallInstalls(runs, { account, now, windowMs }), skew.value),
      windowMs,
      settleMs,
    },
    ...(pace && { pace }),
    ...(latest && {
      fleetSize: fleetSizeAfter(latest),
      tables: latestTables(runs),
      numbers: latest.head.numbers ?? [],
    }),
  });
}

/** Runs are listed from the latest on, so the entry of a later run replaces that of an earlier one. */
function latestTables(runs: readonly RunDigest[]): ReadonlyMap<string, TableRecord> {
  const recorded = runs.toReversed().flatMap(({ head }) => head.tables ?? []);
  return new Map(recorded.map((table) => [table.name, table]));
}

/** The times of requests by this machine's clock, because planning uses that clock. */
function byOwnClock(requests: InstallRecall['requests'], skewMs: number): InstallRecall['requests'] {
  if (skewMs === 0) return requests;
  const own = (time: string) => new Date(Date.parse(time) - skewMs).toISOString();
  return new Map(
    [...requests].map(([host, { refreshedAt, ...request }]) => [
      host,
      {
        ...request,
        requestedAt: own(request.requestedAt),
        ...(refreshedAt === undefined ? {} : { refreshedAt: own(refreshedAt) }),
      },
    ]),
  );
}

/** How many runs are searched for those of a plan. Each worker that continues a run writes another one. */
const mostOfPlan = 50;

/** The hosts that runs of this plan have changed, or may have changed. */
export async function hostsWrittenFor(
  state: Pick<State, 'listRuns' | 'readRun'>,
  account: Account,
  planChecksum: string,
): Promise<Result<ReadonlySet<HostId>>> {
  const listed = await state.listRuns({ account, limit: mostOfPlan });
  if (!listed.ok) return listed;
  const hosts = new Set<HostId>();
  for (const { head } of listed.value) {
    if (head.plan_checksum !== planChecksum) continue;
    const run = await state.readRun(head.run_id);
    if (!run.ok) return run;
    for (const { change } of changesMade(replay(run.value))) hosts.add(change.host_id as HostId);
  }
  return ok(hosts);
}

/**
 * Has a run of this account done anything since that time (RFC 3339, by this machine's clock)? Runs hold a lock, so it is
 * enough to check the latest one.
 */
export async function hasRunSince(state: State, account: Account, time: string): Promise<boolean> {
  const skew = await state.clockSkewMs();
  const listed = await state.listRuns({ account, limit: 1 });
  // A run that can't be read may have changed the fleet.
  if (!skew.ok || !listed.ok || listed.problems.length > 0) return true;
  const [latest] = listed.value;
  return latest !== undefined && Date.parse(latest.lastAt) > Date.parse(time) + skew.value;
}
