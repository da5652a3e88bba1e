import type { HostId, Observed } from '../../core/model/observed.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { RunSummary } from '../../core/plan/types/run-summary.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { type ApplyInputs, applyPlan } from '../../run/apply/apply-plan.ts';
import type { Canary } from '../../run/apply/apply-staged.ts';
import { type ExitCode, exitForRun, exitWithoutRecord } from '../../run/apply/exit-code.ts';
import { underLease } from '../../run/apply/under-lease.ts';
import { startAuditedRun } from '../../run/state/audited-run.ts';
import type { Journal } from '../../run/state/journal/journal.ts';
import type { Origin } from '../../run/state/journal/record.ts';
import type { Lease } from '../../run/state/lease/lease.ts';
import type { LockHolder } from '../../run/state/lease/lease-holder.ts';
import { describeProcess } from '../../run/state/lease/this-process.ts';
import { hasRunSince, hostsWrittenFor } from '../../run/state/recall-runs.ts';
import type { Connection } from './connection.ts';
import type { EngineParts } from './engine-parts.ts';
import { saveBaseline } from './save-baseline.ts';

/** What a run does besides the steps of its plan. */
type ApplyChoices = Pick<
  ApplyInputs,
  'observed' | 'replan' | 'installs' | 'budget' | 'skipStale' | 'leftOut' | 'maxReadAgeMs' | 'mayBegin'
>;

export interface ApplyOptions extends ApplyChoices {
  /** The checksum of the approved plan: any other plan is refused. */
  readonly approvedChecksum: string;
  /** Who runs it, from where and why, for its record. */
  readonly origin: Origin;
  /** How long to wait for the lock, in milliseconds; not at all if absent. */
  readonly lockTimeoutMs?: number;
  readonly canary?: Canary;
  /**
   * The fleet as the file requests it. Absent if the plan does not cover everything that the file requests, or nothing
   * shows it.
   */
  readonly intended?: () => Observed;
  /** Called once the lock is held. A failure ends the run before it has begun. */
  readonly onLock?: (lease: Lease) => Promise<Result<null>>;
  /** Called at the end while the lock is still held; not after it was lost. */
  readonly onEnd?: (end: RunEnd) => Promise<void>;
  /** Called once, when the wait for the lock begins; null if its holder is unknown. */
  readonly onWait?: (holder: LockHolder | null) => void;
  /** Gets warnings as soon as they are known. */
  readonly report?: (problems: readonly Problem[]) => void;
}

/** The end of a run. */
export interface RunEnd {
  readonly runId: string;
  readonly exitCode: ExitCode;
  readonly summary: RunSummary;
  /** The run has lost its lock: another run may be in progress. */
  readonly isLost: boolean;
}

/** The parts of a process that a run needs. */
export type ApplyParts = Pick<EngineParts, 'clock' | 'state' | 'onEvent' | 'signal'>;

/**
 * Applies exactly this plan under the lock of its account, with a journal, the audit log and the baseline for drift.
 * Nothing is planned again and applied. Steps that are done already are recognized and not sent.
 */
export async function applyAccount(
  connection: Connection,
  plan: Plan,
  options: ApplyOptions,
  parts: ApplyParts,
): Promise<Result<RunEnd>> {
  const { account } = connection;
  const { clock, state } = parts;
  const {
    approvedChecksum,
    origin,
    lockTimeoutMs = 0,
    canary,
    intended,
    onLock,
    onEnd,
    onWait,
    report = () => {},
    ...choices
  } = options;
  const checksum = planChecksum(plan);
  if (checksum !== approvedChecksum) return failed(notApproved(checksum));
  const stop = parts.signal ?? new AbortController().signal;
  const lock = await state.acquire(account, {
    clock,
    timeoutMs: lockTimeoutMs,
    holder: describeProcess(new Date(clock.now()).toISOString(), origin),
    ...(onWait === undefined ? {} : { onWait }),
    signal: stop,
  });
  if (!lock.ok) return lock;
  const lease = lock.value;
  report(lock.problems);
  try {
    const started = await onLock?.(lease);
    if (started?.ok === false) return started;
    const { observed, ...others } = choices;
    // If another run was first, the earlier read is no longer reliable and the fleet is read again.
    const isOvertaken = observed !== undefined && (await hasRunSince(state, account, observed.takenAt));
    const written =
      others.leftOut === undefined ? ok(new Set<HostId>()) : await hostsWrittenFor(state, account, checksum);
    if (!written.ok) return written;
    const journal = await startAuditedRun(state, lease, {
      clock,
      account,
      planChecksum: checksum,
      steps: plan.steps.length,
      fleetSize: plan.observed.hosts,
      tables: plan.tables,
      numbers: plan.numbers,
      origin,
    });
    if (!journal.ok) return journal;
    const run = {
      lease,
      journal: journal.value,
      stop,
      canary,
      intended,
      choices: { ...(isOvertaken ? others : choices), written: written.value },
    };
    const end = await runUnder(run, connection, plan, parts);
    if (!end.isLost) await onEnd?.(end);
    return ok(end);
  } finally {
    await lease.release();
  }
}

function notApproved(checksum: string): Problem {
  return problem('stale-plan', `this is not the approved plan: its checksum is ${checksum}`, {
    hint: 'review this plan, then approve it',
  });
}

interface StartedRun {
  readonly lease: Lease;
  readonly journal: Journal;
  readonly stop: AbortSignal;
  readonly canary: Canary | undefined;
  readonly intended: (() => Observed) | undefined;
  readonly choices: ApplyChoices & Pick<ApplyInputs, 'written'>;
}

async function runUnder(
  { lease, journal, stop, canary, intended, choices }: StartedRun,
  connection: Connection,
  plan: Plan,
  { clock, state, onEvent = () => {} }: ApplyParts,
): Promise<RunEnd> {
  const start = clock.now();
  const { runId } = journal;
  onEvent({ type: 'run_start', runId, steps: plan.steps.length, calls: plan.calls.planned });
  const inputs: ApplyInputs = {
    plan,
    reader: connection.reader,
    writer: underLease(connection.writer, lease),
    journal,
    clock,
    stop,
    onEvent,
    ...choices,
  };
  const ran = await applyPlan(inputs, canary);
  // A run that has lost its lock would overwrite what the next run has saved.
  const saved =
    ran.left !== null && lease.refusal() === undefined
      ? await saveBaseline(state, connection.account, { ...ran, left: ran.left }, intended)
      : ok(null);
  const known = exitWithoutRecord(exitForRun(ran, plan), saved.problems);
  // A run that continues another one finds the steps of that run done.
  const outcomes = ran.steps.map(({ outcome }) => outcome);
  const ended = await journal.end(known, connection.learnedPace() ?? undefined, outcomes);
  const unrecorded = [...saved.problems, ...ended.problems];
  const summary = { ...ran, unrecorded, rateLimited: connection.refusals() };
  const exitCode = exitWithoutRecord(known, unrecorded);
  onEvent({ type: 'run_end', runId, exitCode, ms: clock.now() - start });
  return { runId, exitCode, summary, isLost: lease.refusal() !== undefined };
}
