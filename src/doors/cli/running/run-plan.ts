import type { InstallRecall } from '../../../core/model/install-request.ts';
import type { Observed } from '../../../core/model/observed.ts';
import { planChecksum } from '../../../core/plan/document/plan-document.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { targetOf } from '../../../output/review/event-document.ts';
import { paintRunSummary } from '../../../output/review/run-summary-text.ts';
import type { Budget } from '../../../run/apply/admission.ts';
import { type ApplyInputs, applyPlan } from '../../../run/apply/apply-plan.ts';
import { applyStaged, type Canary } from '../../../run/apply/apply-staged.ts';
import { underLease } from '../../../run/apply/under-lease.ts';
import { startAuditedRun } from '../../../run/state/audited-run.ts';
import type { State } from '../../../run/state/interface/state.ts';
import type { Journal } from '../../../run/state/journal/journal.ts';
import type { Lease } from '../../../run/state/lease/lease.ts';
import { describeHolder, type LockHolder } from '../../../run/state/lease/lease-holder.ts';
import { describeProcess } from '../../../run/state/lease/this-process.ts';
import { hasRunSince } from '../../../run/state/recall-runs.ts';
import { originOfCommand } from '../service/command-origin.ts';
import type { Connection } from '../service/connect-service.ts';
import { createRefusalTally } from '../service/refusal-tally.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitForRun } from '../shell/exit-code.ts';
import { hearStop } from '../shell/stop-signal.ts';
import { createEventStream, writeSummary } from './event-stream.ts';
import { createProgress } from './progress.ts';

export interface RunInputs {
  readonly plan: Plan;
  readonly observed?: Observed;
  readonly replan?: (observed: Observed) => Plan;
  readonly installs?: InstallRecall;
  readonly budget: Budget;
}

export interface RunFlags {
  /** Milliseconds. */
  readonly lockTimeout?: number;
  /** `undo` */
  readonly command: string;
  /** The reason for the run, for its record. */
  readonly reason?: string;
  readonly skipStale?: true;
  /** Milliseconds. */
  readonly maxReadAge?: number;
  readonly canary?: Canary;
  /** The file for the summary of the run, with the content of the last event. */
  readonly summaryOut?: string;
}

/** Runs a plan under the account's lock, with a journal, progress output and a summary. */
export async function runPlan(
  connection: Connection,
  inputs: RunInputs,
  flags: RunFlags,
  context: Context,
): Promise<ExitCode> {
  const { io } = context;
  const { account } = connection;
  const opened = await context.state.open();
  if (!opened.ok) return context.fail(opened.problems);
  const state = opened.value;
  const origin = await originOfCommand(context, { ...flags, approvals: inputs.plan.acks });
  const stop = hearStop(context);
  const startedAt = new Date(io.clock.now()).toISOString();
  const lock = await state.acquire(account, {
    clock: io.clock,
    timeoutMs: flags.lockTimeout ?? 0,
    holder: describeProcess(startedAt, origin),
    onWait: (holder) => context.log(waitingLine(holder)),
    signal: stop.signal,
  });
  if (!lock.ok) {
    stop.end();
    return context.fail(lock.problems);
  }
  context.report(lock.problems);
  try {
    const overtaken =
      inputs.observed !== undefined && (await hasRunSince(state, account, inputs.observed.takenAt));
    const journal = await startAuditedRun(state, lock.value, {
      clock: io.clock,
      account,
      planChecksum: planChecksum(inputs.plan),
      steps: inputs.plan.steps.length,
      fleetSize: inputs.plan.observed.hosts,
      origin,
      report: context.report,
    });
    if (!journal.ok) return context.fail(journal.problems);
    const parts = { journal: journal.value, lease: lock.value, stop: stop.signal, state, flags };
    return await runWith(connection, overtaken ? withoutRead(inputs) : inputs, parts, context);
  } finally {
    stop.end();
    await lock.value.release();
  }
}

function waitingLine(holder: LockHolder | null): string {
  const who = holder === null ? 'of another run' : describeHolder(holder);
  return `Waiting for the lock ${who}.`;
}

/** Another run was first, so the earlier read is no longer reliable and the fleet is read again. */
function withoutRead(inputs: RunInputs): RunInputs {
  const { observed: _overtaken, ...others } = inputs;
  return others;
}

interface RunParts {
  readonly journal: Journal;
  readonly lease: Lease;
  readonly stop: AbortSignal;
  readonly state: State;
  readonly flags: RunFlags;
}

async function runWith(
  connection: Connection,
  { plan, observed, replan, installs, budget }: RunInputs,
  { journal, lease, stop, state, flags }: RunParts,
  context: Context,
): Promise<ExitCode> {
  const { io, settings } = context;
  const isJson = settings.format === 'json';
  const start = io.clock.now();
  const progress = createProgress(context, plan);
  const stream = createEventStream(context);
  const refusals = createRefusalTally();
  const unlisten = context.events.listen((event) => {
    refusals.hear(event);
    if (isJson && event.type === 'waiting') stream.event(event);
    if (!isJson || context.live.isLive) progress.event(event);
  });
  if (isJson) stream.planned(plan);
  const { runId } = journal;
  context.events.emit({ type: 'run_start', runId, steps: plan.steps.length, calls: plan.calls.planned });
  const targets = new Map<string, object>(plan.steps.map((step) => [step.id, targetOf(step)]));
  const inputs: ApplyInputs = {
    plan,
    reader: connection.reader,
    writer: underLease(connection.writer, lease),
    journal,
    clock: io.clock,
    stop,
    budget,
    skipStale: flags.skipStale ?? false,
    ...(flags.maxReadAge === undefined ? {} : { maxReadAgeMs: flags.maxReadAge }),
    onEvent: (event) => {
      if (isJson) stream.event(event);
      if (event.type === 'apply_start' || event.type === 'apply_end') return;
      if (event.type === 'step_start')
        context.events.emit({ ...event, target: { ...targets.get(event.step.replace(/-rest$/, '')) } });
      else context.events.emit(event);
    },
    ...(observed === undefined ? {} : { observed }),
    ...(replan === undefined ? {} : { replan }),
    ...(installs === undefined ? {} : { installs }),
  };
  const ran = flags.canary === undefined ? await applyPlan(inputs) : await applyStaged(inputs, flags.canary);
  unlisten();
  progress.end();
  const account = { ...ran, rateLimited: refusals.counts() };
  const exitCode = exitForRun(account, plan);
  context.events.emit({ type: 'run_end', runId, exitCode, ms: io.clock.now() - start });
  // A run that has lost its lock would overwrite what the next run has saved.
  if (account.left !== null && lease.refusal() === undefined)
    await state.saveFleet(connection.account, account.left);
  await journal.end(exitCode, connection.learnedPace() ?? undefined);
  await writeSummary(context, flags.summaryOut, account, exitCode);
  context.report(account.problems);
  if (isJson) stream.summary(account, exitCode);
  else context.print(paintRunSummary(account, { colour: settings.outColour }));
  return exitCode;
}
