import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { type Connection } from '../../accounts/engine/connection.ts';
import { saveBaseline } from '../../accounts/engine/save-baseline.ts';
import { defined } from '../../core/lib/defined.ts';
import { quoted } from '../../core/lib/words.ts';
import { ticketFault, ticketOfRun } from '../../core/model/ticket-rule.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { operatorProblems } from '../../core/plan/guards/operator.ts';
import { atTime } from '../../core/plan/guards/time-problems.ts';
import { isEmpty, type Plan } from '../../core/plan/types/plan.ts';
import { ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { Budget, CallAllowance } from '../../run/apply/admission.ts';
import {
  type ExitCode,
  exitCodeOf,
  exitForNothingToDo,
  exitWithoutRecord,
} from '../../run/apply/exit-code.ts';
import { describeHolder, lockHeld } from '../../run/state/lease/lease-holder.ts';
import { ticketOf } from '../../run/state/origin/origin-of.ts';
import { defaultMaxWaitMs } from '../../service/client/create-client.ts';
import { printReview } from '../planning/print-review.ts';
import { connectService } from '../service/connect-service.ts';
import { isReadOnly, observedOnly } from '../service/refuse-writing.ts';
import type { Context } from '../shell/context.ts';
import { signatureRefusal } from '../trust/plan-signatures.ts';
import { createEventStream, emptySummary, endRun } from './event-stream.ts';
import { type RunFlags, type RunInputs, runPlan } from './run-plan.ts';

/** Provides the plan after the service is connected. */
export type PlanSource = (connection: Connection) => Promise<Result<Prepared>>;

export type Prepared = Omit<RunInputs, 'budget'>;

/** Flags of a run, whatever the source of its plan. */
export interface CarryOutFlags extends Omit<RunFlags, 'command'> {
  readonly autoApprove?: true;
  readonly maxCalls?: number;
  /** The calls that the accounts of a rollout share, in place of `maxCalls`. */
  readonly calls?: CallAllowance;
  /** Milliseconds from now. */
  readonly deadline?: number;
  /** Shows the plan without the hosts whose changes can be undone. */
  readonly summary?: true;
  /** The checksum of the reviewed plan: any other plan is refused. */
  readonly checksum?: string;
}

export interface CarryOutOptions extends CarryOutFlags {
  /** `undo` */
  readonly command: string;
  /** The ticket that the saved plan is for. */
  readonly plannedTicket?: string | undefined;
}

/** Connects, makes or reads the plan, shows it, asks for approval if there is none yet, and runs it. */
export async function carryOut(
  context: Context,
  options: CarryOutOptions,
  source: PlanSource,
): Promise<ExitCode> {
  const ticket = ticketOfRun(options.plannedTicket, ticketOf(options.ticket, context.io.env));
  if (!ticket.ok) return context.fail(ticket.problems);
  const flags = { ...options, ...ticket.value };
  const misuse = readAgeMisuse(flags, context) ?? readOnlyProblem(context) ?? ticketMisuse(flags, context);
  if (misuse !== undefined) return context.fail([misuse]);
  const connection = await connectService(context);
  if (!connection.ok) return context.fail(connection.problems);
  context.report(connection.problems);
  try {
    return await applyWith(connection.value, source, flags, context);
  } finally {
    // A command that got to its end has closed it, and has reported what could not be saved.
    await connection.value.close();
  }
}

/**
 * The maximum age of a read must not exceed the longest wait for another one, which would silently remove the guard.
 */
function readAgeMisuse({ maxReadAge }: CarryOutFlags, { settings }: Context): Problem | undefined {
  const maxWaitMs = settings.maxWaitMs ?? defaultMaxWaitMs;
  if (maxReadAge === undefined || maxReadAge <= maxWaitMs) return undefined;
  return problem('usage', `--max-read-age must not be longer than --max-wait (${maxWaitMs / 1000} s)`, {
    hint: 'choose a shorter time, or raise --max-wait',
  });
}

/** What is known to be wrong before the ticket is checked, right before the first write. */
function ticketMisuse({ ticket }: CarryOutFlags, { account }: Context): Problem | undefined {
  return account?.ticket === undefined ? undefined : ticketFault(account.ticket, ticket);
}

/** Undefined if changes may be made. */
export function readOnlyProblem({ io, account }: Context): Problem | undefined {
  if (!isReadOnly(io.env)) return account && observedOnly(account, 'nothing was changed');
  return problem('read-only', 'RAMPART_READ_ONLY is set, so nothing was changed', {
    hint: 'rampart plan still works',
  });
}

async function applyWith(
  connection: Connection,
  source: PlanSource,
  flags: CarryOutOptions,
  context: Context,
): Promise<ExitCode> {
  const prepared = await source(connection);
  if (!prepared.ok) return context.fail(prepared.problems);
  const now = new Date(context.io.clock.now()).toISOString();
  const plan = atTime(prepared.value.plan, now);
  const busy = plan.applicable && !isEmpty(plan) ? await busyWith(connection, flags, context) : undefined;
  if (busy !== undefined) return context.fail([busy]);
  if (context.settings.format === 'text') printReview(plan, context, flags);
  if (!plan.applicable) {
    const errors = plan.problems.filter((each) => each.severity === 'error');
    const seen = context.settings.format === 'text' && context.io.stdout.isTerminal;
    return seen ? exitCodeOf(errors) : context.fail(errors);
  }
  const { account } = context;
  const forbidden = account === undefined ? [] : operatorProblems(plan, account, now);
  if (forbidden.length > 0) return context.fail(forbidden);
  const unreviewed = flags.checksum === undefined ? undefined : otherThanReviewed(plan, flags.checksum);
  if (unreviewed !== undefined) return context.fail([unreviewed]);
  if (isEmpty(plan)) {
    const { observed, intended } = prepared.value;
    const state = await context.state.open();
    const saved =
      observed !== undefined && state.ok
        ? await saveBaseline(state.value, connection.account, { left: observed, steps: [] }, intended)
        : ok(null);
    const unrecorded = saved.problems;
    const ended = {
      summary: { ...emptySummary(plan), unrecorded },
      exitCode: exitWithoutRecord(exitForNothingToDo(plan), unrecorded),
    };
    const stream = createEventStream(context);
    if (context.settings.format === 'json') stream.planned(plan);
    const { summaryOut } = flags;
    return endRun(context, { connection, summaryOut }, ended, (summary, exitCode) => {
      if (context.settings.format === 'json') stream.summary(summary, exitCode);
    });
  }
  const unsigned = await signatureRefusal(context, prepared.value.plan);
  if (unsigned !== undefined) return context.fail([unsigned]);
  const isReviewed = prepared.value.observed === undefined || flags.checksum !== undefined;
  if (!isReviewed && flags.autoApprove === true && account?.mode === 'propose') {
    return context.fail([unreviewedProposal(account)]);
  }
  if (!isReviewed && !(await userApproves(flags, 'Apply these changes?', context))) {
    return context.fail([
      problem('not-approved', 'the plan was not approved, so nothing was changed', {
        hint: 'answer yes, add --auto-approve, or save the plan for review: rampart plan --out plan.json',
      }),
    ]);
  }
  return runPlan(connection, { ...prepared.value, plan, budget: budgetOf(flags, context) }, flags, context);
}

/** Nobody should review a plan that another run makes stale. The lock decides later: a run may begin meanwhile. */
async function busyWith(
  { account }: Connection,
  { lockTimeout = 0 }: CarryOutFlags,
  context: Context,
): Promise<Problem | undefined> {
  const state = await context.state.open();
  const listed = state.ok ? await state.value.listRuns({ account, limit: 1 }) : undefined;
  const latest = listed?.ok ? listed.value[0] : undefined;
  if (latest?.holder === undefined) return undefined;
  const who = describeHolder({ ...latest.holder, run: latest.head.run_id });
  if (lockTimeout === 0) return lockHeld(who);
  context.log(`Another run is in progress: it holds the lock ${who}.`);
  return undefined;
}

/** In mode `propose`, somebody approves the plan itself: its file, its checksum, or with "yes" at the terminal. */
function unreviewedProposal({ name, place, places }: AccountConfig): Problem {
  return problem(
    'not-approved',
    `the account ${quoted(name)} is in mode propose, so --auto-approve does not approve a new plan: nothing was changed`,
    {
      place: places['mode'] ?? place,
      hint: 'save the plan for review with rampart plan --out plan.json, then run rampart apply plan.json; or set mode: correct for the account',
    },
  );
}

/** Undefined if this is the plan that was reviewed. */
function otherThanReviewed(plan: Plan, reviewed: string): Problem | undefined {
  const checksum = planChecksum(plan);
  if (checksum === reviewed.trim().toLowerCase()) return undefined;
  return problem('stale-plan', `this is not the reviewed plan: its checksum is ${checksum}`, {
    hint: 'the file or its hosts have changed since the review: review this plan, then use its checksum',
  });
}

function budgetOf({ maxCalls, calls, deadline: inMs }: CarryOutFlags, { io, cutoff }: Context): Budget {
  const deadline = inMs === undefined ? undefined : io.clock.now() + inMs;
  if (inMs !== undefined) cutoff.setDeadline(inMs);
  return defined({ maxCalls, calls, deadline });
}

/** Whether the flag or the user approves. */
export async function userApproves(
  { autoApprove }: Pick<CarryOutFlags, 'autoApprove'>,
  question: string,
  { io }: Context,
): Promise<boolean> {
  if (autoApprove === true) return true;
  const answer = await io.prompt(`${question} Only "yes" is accepted: `);
  return answer?.trim() === 'yes';
}
