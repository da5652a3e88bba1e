import { randomBytes } from 'node:crypto';
import type { Budget } from '../apply/admission.ts';
import { type ApplyInputs, applyPlan } from '../apply/apply-plan.ts';
import { applyStaged, type Canary } from '../apply/apply-staged.ts';
import { createJournal } from '../journal/create-journal.ts';
import type { Journal } from '../journal/journal.ts';
import { acquireLock } from '../journal/lock.ts';
import { describeProcess, isProcessAlive } from '../journal/this-process.ts';
import type { HostId } from '../model/host-id.ts';
import type { Observed } from '../model/observed.ts';
import type { Plan } from '../plan/plan.ts';
import { planChecksum } from '../plan/plan-document.ts';
import { paintAccount } from '../review/account-text.ts';
import type { Connection } from './connect-service.ts';
import type { Context } from './context.ts';
import { tellEvents } from './event-stream.ts';
import { type ExitCode, exitCodes, exitForRun } from './exit-code.ts';
import { createProgress } from './progress.ts';

export interface RunInputs {
  readonly plan: Plan;
  readonly observed?: Observed;
  readonly replan?: (observed: Observed) => Plan;
  readonly installsInProgress?: ReadonlySet<HostId>;
  readonly budget: Budget;
}

export interface RunFlags {
  /** Milliseconds. */
  readonly lockTimeout?: number;
  readonly skipStale?: true;
  readonly canary?: Canary;
}

/** One run under the account's lock, with its journal: progress while it goes, its account at the end. */
export async function runPlan(
  connection: Connection,
  inputs: RunInputs,
  flags: RunFlags,
  context: Context,
): Promise<ExitCode> {
  const { io } = context;
  const { account } = connection;
  const stateDir = context.path(context.settings.stateDir);
  const stop = new AbortController();
  const unhear = io.onInterrupt(() => {
    if (stop.signal.aborted) io.exitNow(exitCodes.interrupted);
    context.tell(
      'Stopping at a safe point: calls in flight are finished. Press Ctrl-C again to stop at once.',
    );
    stop.abort();
  });
  const startedAt = new Date(io.clock.now()).toISOString();
  const lock = await acquireLock({
    stateDir,
    account,
    clock: io.clock,
    timeoutMs: flags.lockTimeout ?? 0,
    holder: describeProcess(startedAt),
    isAlive: isProcessAlive,
    signal: stop.signal,
  });
  if (!lock.ok) {
    unhear();
    return context.fail(lock.problems);
  }
  context.report(lock.problems);
  try {
    const journal = await createJournal({
      stateDir,
      clock: io.clock,
      account,
      planChecksum: planChecksum(inputs.plan),
      steps: inputs.plan.steps.length,
      fleetSize: inputs.plan.observed.hosts,
      suffix: randomBytes(3).toString('hex'),
    });
    if (!journal.ok) return context.fail(journal.problems);
    return await runWith(connection, inputs, { journal: journal.value, stop: stop.signal, flags }, context);
  } finally {
    unhear();
    await lock.value.release();
  }
}

interface RunParts {
  readonly journal: Journal;
  readonly stop: AbortSignal;
  readonly flags: RunFlags;
}

async function runWith(
  connection: Connection,
  { plan, observed, replan, installsInProgress, budget }: RunInputs,
  { journal, stop, flags }: RunParts,
  context: Context,
): Promise<ExitCode> {
  const { io, settings } = context;
  const isJson = settings.format === 'json';
  const progress = createProgress(context, plan);
  const events = tellEvents(context);
  if (isJson) events.planned(plan);
  const inputs: ApplyInputs = {
    plan,
    reader: connection.reader,
    writer: connection.writer,
    journal,
    clock: io.clock,
    stop,
    budget,
    skipStale: flags.skipStale ?? false,
    onEvent: (event) => {
      if (isJson) events.event(event);
      else progress.event(event);
    },
    ...(observed === undefined ? {} : { observed }),
    ...(replan === undefined ? {} : { replan }),
    ...(installsInProgress === undefined ? {} : { installsInProgress }),
  };
  const account =
    flags.canary === undefined ? await applyPlan(inputs) : await applyStaged(inputs, flags.canary);
  progress.end();
  const exitCode = exitForRun(account, plan);
  await journal.end(exitCode, connection.learnedPace() ?? undefined);
  if (isJson) {
    events.summary(account, exitCode);
    context.report(account.problems);
  } else {
    context.print(paintAccount(account, { colour: settings.outColour }));
    if (!io.stdout.isTerminal) context.report(account.problems);
  }
  return exitCode;
}
