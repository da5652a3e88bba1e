import type { InstallRecall } from '../../core/model/install-request.ts';
import type { Observed } from '../../core/model/observed.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { acknowledge } from '../../core/plan/guards/guard.ts';
import type { Acks } from '../../core/plan/types/constraints.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { Budget } from '../../run/apply/admission.ts';
import { type ApplyInputs, applyPlan } from '../../run/apply/apply-plan.ts';
import { applyStaged, type Canary } from '../../run/apply/apply-staged.ts';
import type { RunSummary } from '../../run/apply/run-summary.ts';
import { underLease } from '../../run/apply/under-lease.ts';
import { startAuditedRun } from '../../run/state/audited-run.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { Journal } from '../../run/state/journal/journal.ts';
import type { Origin } from '../../run/state/journal/record.ts';
import type { Lease } from '../../run/state/lease/lease.ts';
import type { LockHolder } from '../../run/state/lease/lease-holder.ts';
import { describeProcess } from '../../run/state/lease/this-process.ts';
import { hasRunSince } from '../../run/state/recall-runs.ts';
import type { Connection } from './connection.ts';
import type { EngineParts } from './engine-parts.ts';
import { type ExitCode, exitForRun } from './exit-code.ts';

export interface ApplyOptions {
  /** The checksum of the approved plan: any other plan is refused. */
  readonly approvedChecksum: string;
  /** Who runs it, from where and why, for its record. */
  readonly origin: Origin;
  /** Whoever waits for the lock sees this holder; this process if absent. */
  readonly holder?: LockHolder;
  /** How long to wait for the lock, in milliseconds; not at all if absent. */
  readonly lockTimeoutMs?: number;
  /** The read that the plan was made from, if this process just made it. */
  readonly observed?: Observed;
  readonly replan?: (observed: Observed) => Plan;
  /** Installs that earlier runs requested, including those after a saved plan was made. */
  readonly installs?: InstallRecall;
  readonly budget?: Budget;
  readonly skipStale?: boolean;
  /** In milliseconds. No deletion relies on an older read. */
  readonly maxReadAgeMs?: number;
  readonly canary?: Canary;
  /** The approved numbers of limits that the plan exceeds. */
  readonly acks?: Acks;
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
  given: Plan,
  options: ApplyOptions,
  parts: ApplyParts,
): Promise<Result<RunEnd>> {
  const { account } = connection;
  const { clock, state } = parts;
  const { origin, acks, onWait, report = () => {} } = options;
  const checksum = planChecksum(given);
  if (checksum !== options.approvedChecksum) return failed(notApproved(checksum));
  const plan = acks === undefined ? given : acknowledge(given, acks);
  const stop = parts.signal ?? new AbortController().signal;
  const lock = await state.acquire(account, {
    clock,
    timeoutMs: options.lockTimeoutMs ?? 0,
    holder: options.holder ?? describeProcess(new Date(clock.now()).toISOString(), origin),
    ...(onWait === undefined ? {} : { onWait }),
    signal: stop,
  });
  if (!lock.ok) return lock;
  const lease = lock.value;
  report(lock.problems);
  try {
    const started = await options.onLock?.(lease);
    if (started?.ok === false) return started;
    const { observed } = options;
    // If another run was first, the earlier read is no longer reliable and the fleet is read again.
    const isOvertaken = observed !== undefined && (await hasRunSince(state, account, observed.takenAt));
    const journal = await startAuditedRun(state, lease, {
      clock,
      account,
      planChecksum: checksum,
      steps: plan.steps.length,
      fleetSize: plan.observed.hosts,
      origin,
      report,
    });
    if (!journal.ok) return journal;
    const run = { lease, journal: journal.value, stop, ...(isOvertaken ? {} : { observed }) };
    const end = await runUnder(run, connection, plan, options, parts);
    if (!end.isLost) await options.onEnd?.(end);
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
  readonly observed?: Observed | undefined;
}

async function runUnder(
  { lease, journal, stop, observed }: StartedRun,
  connection: Connection,
  plan: Plan,
  { replan, installs, budget, skipStale, maxReadAgeMs, canary }: ApplyOptions,
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
    skipStale: skipStale ?? false,
    ...(budget === undefined ? {} : { budget }),
    ...(maxReadAgeMs === undefined ? {} : { maxReadAgeMs }),
    ...(observed === undefined ? {} : { observed }),
    ...(replan === undefined ? {} : { replan }),
    ...(installs === undefined ? {} : { installs }),
  };
  const ran = canary === undefined ? await applyPlan(inputs) : await applyStaged(inputs, canary);
  const summary = { ...ran, rateLimited: connection.refusals() };
  const exitCode = exitForRun(summary, plan);
  onEvent({ type: 'run_end', runId, exitCode, ms: clock.now() - start });
  await saveBaseline(state, connection, summary, lease);
  await journal.end(exitCode, connection.learnedPace() ?? undefined);
  return { runId, exitCode, summary, isLost: lease.refusal() !== undefined };
}

/** A run that has lost its lock would overwrite what the next run has saved. */
async function saveBaseline(
  state: State,
  { account }: Connection,
  { left }: RunSummary,
  lease: Lease,
): Promise<void> {
  if (left !== null && lease.refusal() === undefined) await state.saveFleet(account, left);
}
