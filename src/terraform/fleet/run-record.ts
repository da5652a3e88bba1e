import { randomBytes } from 'node:crypto';
import { createJournal } from '../../journal/create-journal.ts';
import type { Journal } from '../../journal/journal.ts';
import { acquireLock } from '../../journal/lock.ts';
import { listRunIds, type Run, readRun } from '../../journal/read-runs.ts';
import { installsInProgress } from '../../journal/replay.ts';
import { describeProcess, isProcessAlive } from '../../journal/this-process.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Account } from '../../model/account.ts';
import type { HostId } from '../../model/host-id.ts';
import { planChecksum } from '../../plan/document/plan-document.ts';
import type { Plan } from '../../plan/plan.ts';
import { failed, ok, type Result } from '../../problem/result.ts';

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

/** Nothing is kept of the run but what its account says. */
function memoryJournal(): Journal {
  return { runId: '', begin: async () => ok(null), outcome: async () => {}, end: async () => {} };
}

/** For how long an install that does not show yet is not asked for again, in milliseconds. */
const installWindowMs = 24 * 3600 * 1000;

/** Hosts whose install was asked for lately, as far as runs were recorded. */
export async function recallInstalls({
  stateDir,
  account,
  clock,
}: RecordOptions): Promise<ReadonlySet<HostId>> {
  if (stateDir === undefined) return new Set();
  const now = clock.now();
  const runs: Run[] = [];
  for (const runId of await listRunIds(stateDir)) {
    const run = await readRun(stateDir, runId);
    if (!run.ok) continue;
    // A run may take as long again as the window is.
    if (now - Date.parse(run.value.head.at) > 2 * installWindowMs) break;
    runs.push(run.value);
  }
  return installsInProgress(runs, { account, now, windowMs: installWindowMs });
}
