import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Account } from '../../../core/model/account.ts';
import { type InstallRecall, nothingRecalled } from '../../../core/model/install-request.ts';
import { planChecksum } from '../../../core/plan/document/plan-document.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { createJournal } from '../../../run/state/create-journal.ts';
import type { Journal } from '../../../run/state/journal.ts';
import { acquireLock } from '../../../run/state/lock.ts';
import { type Run } from '../../../run/state/parse-run.ts';
import { listRunIds, readRun } from '../../../run/state/read-runs.ts';
import { recallInstalls } from '../../../run/state/replay.ts';
import { describeProcess, isProcessAlive } from '../../../run/state/this-process.ts';

export interface RecordOptions {
  /** Where runs are recorded, and the account is locked; nothing is kept when absent. */
  readonly stateDir?: string;
  readonly account: Account;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** A run's journal, under the account's lock. */
export interface RunRecord {
  readonly journal: Journal;
  close(exitCode: number): Promise<void>;
}

/** How long the run of another process is waited for, in milliseconds. */
const lockTimeoutMs = 60_000;

export async function openRecord(plan: Plan, options: RecordOptions): Promise<Result<RunRecord>> {
  const { stateDir, account, clock, signal } = options;
  if (stateDir === undefined) return ok({ journal: memoryJournal(), close: async () => {} });
  const lock = await acquireLock({
    stateDir,
    account,
    clock,
    timeoutMs: lockTimeoutMs,
    holder: describeProcess(new Date(clock.now()).toISOString()),
    isAlive: isProcessAlive,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!lock.ok) return lock;
  const journal = await createJournal({
    stateDir,
    clock,
    account,
    planChecksum: planChecksum(plan),
    steps: plan.steps.length,
    fleetSize: plan.observed.hosts,
    suffix: randomBytes(3).toString('hex'),
  });
  if (!journal.ok) {
    await lock.value.release();
    return failed(...journal.problems);
  }
  return ok(
    {
      journal: journal.value,
      async close(exitCode) {
        await journal.value.end(exitCode);
        await lock.value.release();
      },
    },
    lock.problems,
  );
}

/** Keeps nothing of the run except its summary. */
function memoryJournal(): Journal {
  return { runId: '', begin: async () => ok(null), outcome: async () => {}, end: async () => {} };
}

/** What earlier runs requested, as far as they were recorded. */
export async function recallFleetInstalls({
  stateDir,
  account,
  clock,
}: RecordOptions): Promise<InstallRecall> {
  if (stateDir === undefined) return nothingRecalled;
  const { windowMs } = nothingRecalled;
  const now = clock.now();
  const runs: Run[] = [];
  for (const runId of await listRunIds(stateDir)) {
    const run = await readRun(stateDir, runId);
    if (!run.ok) continue;
    // A run may take as long again as the window is.
    if (now - Date.parse(run.value.head.at) > 2 * windowMs) break;
    runs.push(run.value);
  }
  return { ...nothingRecalled, requests: recallInstalls(runs, { account, now, windowMs }) };
}
