import type { Account } from '../../../core/model/account.ts';
import {
  defaultInstallSettleMs,
  defaultInstallWindowMs,
  type InstallRecall,
} from '../../../core/model/install-request.ts';
import type { Pace } from '../../../core/plan/types/forecast.ts';
import { type Run } from '../../../run/state/parse-run.ts';
import { listRunIds, readRun } from '../../../run/state/read-runs.ts';
import { isSameAccount } from '../../../run/state/record.ts';
import { changesMade, recallInstalls, replay } from '../../../run/state/replay.ts';
import type { Context } from '../shell/context.ts';

export interface Recalled {
  readonly installs: InstallRecall;
  /** As the last run that learned one left it. */
  readonly pace?: Pace;
  /** How many hosts the last run left behind. */
  readonly fleetSize?: number;
}

/** Milliseconds. */
export interface InstallFlags {
  /** How long an install that was requested and does not show counts as pending. */
  readonly antivirusWindow?: number;
  /** How long a host may take to report after a refresh. */
  readonly antivirusSettle?: number;
}

/** How many runs are searched for a pace. */
const recent = 20;

/** What earlier runs of this account left in the journal. A journal that is lost or damaged only costs calls. */
export async function recallRuns(
  context: Context,
  account: Account,
  {
    antivirusWindow: windowMs = defaultInstallWindowMs,
    antivirusSettle: settleMs = defaultInstallSettleMs,
  }: InstallFlags,
): Promise<Recalled> {
  const stateDir = context.path(context.settings.stateDir);
  const now = context.io.clock.now();
  const runs: Run[] = [];
  for (const [index, runId] of (await listRunIds(stateDir)).entries()) {
    const run = await readRun(stateDir, runId);
    if (!run.ok) continue;
    if (index >= recent && now - Date.parse(run.value.head.at) > windowMs + aDay) break;
    if (isSameAccount(run.value.head.account, account)) runs.push(run.value);
  }
  const latest = runs[0];
  const pace = runs.map((run) => replay(run).pace).find((each) => each !== undefined);
  return {
    installs: { requests: recallInstalls(runs, { account, now, windowMs }), windowMs, settleMs },
    ...(pace === undefined ? {} : { pace }),
    ...(latest === undefined ? {} : { fleetSize: fleetSizeAfter(latest) }),
  };
}

/** Has a run of this account done anything since that time? Runs hold a lock, so the latest one is enough. */
export async function hasRunSince(stateDir: string, account: Account, time: string): Promise<boolean> {
  for (const runId of await listRunIds(stateDir)) {
    const run = await readRun(stateDir, runId);
    if (!run.ok) return true;
    if (!isSameAccount(run.value.head.account, account)) continue;
    return Date.parse(run.value.records.at(-1)?.at ?? time) > Date.parse(time);
  }
  return false;
}

/** How many hosts a run left behind. */
export function fleetSizeAfter(run: Run): number {
  const deleted = changesMade(replay(run)).filter(({ step }) => step.begin.kind === 'delete').length;
  return run.head.fleet_size - deleted;
}

const aDay = 24 * 3600 * 1000;
