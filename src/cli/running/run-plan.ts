import { type ApplyOptions, applyAccount } from '../../accounts/engine/apply-account.ts';
import type { Connection } from '../../accounts/engine/connection.ts';
import type { EngineEvent } from '../../accounts/engine/engine-parts.ts';
import { defined } from '../../core/lib/defined.ts';
import type { InstallRecall } from '../../core/model/install-request.ts';
import type { Observed } from '../../core/model/observed.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { targetOf } from '../../output/review/event-document.ts';
import { paintRunSummary } from '../../output/review/run-summary-text.ts';
import type { Budget } from '../../run/apply/admission.ts';
import type { Canary } from '../../run/apply/apply-staged.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { describeHolder, type LockHolder } from '../../run/state/lease/lease-holder.ts';
import { textStyle } from '../listing/print-listing.ts';
import { originOfCommand } from '../service/command-origin.ts';
import { type Context, hearStop } from '../shell/context.ts';
import { createEventStream, type EventStream, endRun, logAuditHead } from './event-stream.ts';
import { createProgress } from './progress.ts';

export interface RunInputs {
  readonly plan: Plan;
  /** Only if the fleet was just read. */
  readonly observed?: Observed;
  readonly replan?: (observed: Observed) => Plan;
  /** Installs that earlier runs requested, including those after a saved plan was made. */
  readonly installs?: InstallRecall;
  /**
   * The fleet as the file requests it. Absent if the plan does not cover everything that the file requests, or nothing
   * shows it.
   */
  readonly intended?: () => Observed;
  readonly budget: Budget;
}

export interface RunFlags {
  /** Milliseconds. */
  readonly lockTimeout?: number;
  /** `undo` */
  readonly command: string;
  /** The reason for the run, for its record. */
  readonly reason?: string;
  /** The number of the change ticket. */
  readonly ticket?: string;
  readonly skipStale?: true;
  /** In milliseconds. No deletion relies on an older read. */
  readonly maxReadAge?: number;
  readonly canary?: Canary;
  /** The file for the summary of the run, with the content of the last event. */
  readonly summaryOut?: string;
}

/** Runs a plan under the account's lock, with a journal, progress output and a summary. */
export async function runPlan(
  connection: Connection,
  { plan, ...inputs }: RunInputs,
  flags: RunFlags,
  context: Context,
): Promise<ExitCode> {
  const { io, settings } = context;
  const opened = await context.state.open();
  if (!opened.ok) return context.fail(opened.problems);
  const origin = await originOfCommand(context, { ...flags, approvals: plan.acks });
  const stop = hearStop(context);
  const stream = createEventStream(context);
  try {
    const ended = await applyAccount(
      connection,
      plan,
      {
        ...inputs,
        // The plan was just approved: at the terminal, by a flag, or as a file.
        approvedChecksum: planChecksum(plan),
        origin,
        lockTimeoutMs: flags.lockTimeout ?? 0,
        skipStale: flags.skipStale ?? false,
        ...defined({ maxReadAgeMs: flags.maxReadAge, canary: flags.canary }),
        ...ticketCheck(flags, context),
        onWait: (holder) => context.log(waitingLine(holder)),
        report: context.report,
      },
      { clock: io.clock, state: opened.value, signal: stop.signal, onEvent: shownRun(context, plan, stream) },
    );
    if (!ended.ok) return context.fail(ended.problems);
    const { summaryOut } = flags;
    const exitCode = await endRun(context, { connection, summaryOut }, ended.value, (summary, code) => {
      if (settings.format === 'json') stream.summary(summary, code);
      else context.print(paintRunSummary(summary, textStyle(context)));
    });
    await logAuditHead(context, opened.value);
    return exitCode;
  } finally {
    stop.end();
  }
}

/** The change ticket that the operator requires is checked at the last moment: its window may have closed meanwhile. */
function ticketCheck(
  { ticket }: RunFlags,
  { account, io, redaction }: Context,
): Pick<ApplyOptions, 'mayBegin'> {
  const rule = account?.ticket;
  if (rule === undefined) return {};
  return {
    async mayBegin() {
      const { checkTicket } = await import('../../service/registers/check-ticket.ts');
      const parts = { env: io.env, folder: io.cwd, clock: io.clock, hide: redaction.hide };
      return checkTicket(rule, ticket, parts);
    },
  };
}

function waitingLine(holder: LockHolder | null): string {
  const who = holder === null ? 'of another run' : describeHolder(holder);
  return `Waiting for the lock ${who}.`;
}

/** Passes the events of a run on, from its start to its end: to the progress line, the event stream and the log. */
function shownRun(context: Context, plan: Plan, stream: EventStream): (event: EngineEvent) => void {
  const isJson = context.settings.format === 'json';
  const targets = new Map<string, object>(plan.steps.map((step) => [step.id, targetOf(step)]));
  let hide = () => {};
  const show = () => {
    const progress = createProgress(context, plan);
    const unlisten = context.events.listen((event) => {
      if (isJson && event.type === 'waiting') stream.event(event);
      if (!isJson || context.live.isLive) progress.event(event);
    });
    hide = () => {
      unlisten();
      progress.end();
    };
    if (isJson) stream.planned(plan);
  };
  return (event) => {
    if (event.type === 'run_start') show();
    else if (event.type === 'run_end') hide();
    else if (isJson) stream.event(event);
    if (event.type === 'apply_start' || event.type === 'apply_end') return;
    if (event.type === 'step_start')
      context.events.emit({ ...event, target: { ...targets.get(event.step.replace(/-rest$/, '')) } });
    else context.events.emit(event);
  };
}
