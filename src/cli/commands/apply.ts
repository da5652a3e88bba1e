import type { Budget } from '../../apply/admission.ts';
import type { Observed } from '../../model/observed.ts';
import { acknowledge } from '../../plan/guard.ts';
import { isEmpty, type Plan } from '../../plan/plan.ts';
import { problem } from '../../problem/problem.ts';
import { failed, ok, type Result } from '../../problem/result.ts';
import { type Connection, connectService, isReadOnly } from '../connect-service.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodeOf, exitForPlan } from '../exit-code.ts';
import { loadPlan } from '../load-plan.ts';
import { asksForAntivirus, checkAccount, createPlanner, type PlanningFlags } from '../planning.ts';
import { printReview } from '../print-review.ts';
import { readDesiredState } from '../read-desired-state.ts';
import { runPlan } from '../run-plan.ts';

export interface ApplyFlags extends PlanningFlags {
  readonly autoApprove?: true;
  /** Milliseconds. */
  readonly lockTimeout?: number;
  readonly skipStale?: true;
  readonly maxCalls?: number;
  /** Milliseconds from now. */
  readonly deadline?: number;
  /** Milliseconds. */
  readonly maxPlanAge?: number;
}

/** Carries out a plan file, which is its own approval, or plans a desired state and asks. */
export async function apply(context: Context, flags: ApplyFlags, file?: string): Promise<ExitCode> {
  const misuse = checkUse(flags, file);
  if (misuse !== undefined) return context.fail([misuse]);
  if (isReadOnly(context.io.env)) {
    return context.fail([
      problem('read-only', 'RAMPART_READ_ONLY is set, so nothing is changed', {
        hint: 'rampart plan still works',
      }),
    ]);
  }
  const source =
    file === undefined ? await fromDesired(flags, context) : await fromFile(file, flags, context);
  if (!source.ok) return context.fail(source.problems);

  const connection = await connectService(context);
  if (!connection.ok) return context.fail(connection.problems);
  context.report(connection.problems);
  let code: ExitCode;
  try {
    code = await applyWith(connection.value, source.value, flags, context);
  } finally {
    const closed = await connection.value.close();
    if (!closed.ok) context.report(closed.problems);
  }
  return code;
}

/** Where the plan comes from, once there is a service to ask. */
type Source = (connection: Connection) => Promise<Result<Prepared>>;

interface Prepared {
  readonly plan: Plan;
  /** Only where the fleet was read just now. */
  readonly observed?: Observed;
  readonly replan?: (observed: Observed) => Plan;
}

function checkUse(flags: ApplyFlags, file: string | undefined) {
  if (file !== undefined && flags.file !== undefined) {
    return problem('usage', 'a plan file and -f do not go together', {
      hint: 'the argument is a plan file, -f is desired state',
    });
  }
  const planning = [
    'deleteFirst',
    'skipBlocked',
    'strict',
    'batchSize',
    'target',
    'exclude',
    'fast',
  ] as const;
  const given = file === undefined ? undefined : planning.find((each) => flags[each] !== undefined);
  if (given === undefined) return undefined;
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return problem('usage', `--${flag} is decided when the plan is made`, {
    hint: `rampart plan --${flag} … --out FILE`,
  });
}

async function fromDesired(flags: ApplyFlags, context: Context): Promise<Result<Source>> {
  const desired = await readDesiredState(flags.file ?? [], context);
  if (!desired.ok) return desired;
  context.report(desired.problems);
  return ok(async ({ account, reader }) => {
    const matches = checkAccount(desired.value, account);
    if (!matches.ok) return matches;
    const read = await reader.read({ antivirus: asksForAntivirus(desired.value) });
    if (!read.ok) return read;
    const planOn = await createPlanner(context, desired.value, flags, account);
    const made = planOn(read.value);
    if (!made.ok) return made;
    const replan = (observed: Observed) => {
      const again = planOn(observed);
      return again.ok ? again.value : made.value;
    };
    return ok({ plan: made.value, observed: read.value, replan });
  });
}

async function fromFile(file: string, flags: ApplyFlags, context: Context): Promise<Result<Source>> {
  const loaded = await loadPlan(context, file);
  if (!loaded.ok) return loaded;
  const plan = flags.ack === undefined ? loaded.value : acknowledge(loaded.value, flags.ack);
  const age = context.io.clock.now() - Date.parse(plan.createdAt);
  if (flags.maxPlanAge !== undefined && age > flags.maxPlanAge) {
    return failed(
      problem('stale-plan', `the plan was made at ${plan.createdAt}, longer ago than --max-plan-age`, {
        hint: 'plan again',
      }),
    );
  }
  return ok(async ({ account }) => {
    const same = account.companyId === plan.account.companyId && account.service === plan.account.service;
    if (same) return ok({ plan });
    const whose = `company ${plan.account.companyId ?? 'unknown'} at ${plan.account.service}`;
    return failed(
      problem('other-account', `the plan is for ${whose}`, {
        hint: 'choose the right --profile, or plan again',
      }),
    );
  });
}

async function applyWith(
  connection: Connection,
  source: Source,
  flags: ApplyFlags,
  context: Context,
): Promise<ExitCode> {
  const prepared = await source(connection);
  if (!prepared.ok) return context.fail(prepared.problems);
  const { plan } = prepared.value;
  if (context.settings.format === 'text') printReview(plan, context);
  if (!plan.applicable) {
    const errors = plan.problems.filter((each) => each.severity === 'error');
    return context.settings.format === 'text' ? exitCodeOf(errors) : context.fail(errors);
  }
  if (isEmpty(plan)) return exitForPlan(plan, { detailed: false });
  const approved = prepared.value.observed === undefined || (await approve(flags, context));
  if (approved !== true) {
    return context.fail([
      problem('not-approved', 'nobody approved the plan, so nothing is changed', {
        hint: 'answer yes, add --auto-approve, or review a plan file: rampart plan --out plan.json',
      }),
    ]);
  }
  return runPlan(connection, { ...prepared.value, budget: budgetOf(flags, context) }, flags, context);
}

function budgetOf({ maxCalls, deadline }: ApplyFlags, { io }: Context): Budget {
  return {
    ...(maxCalls === undefined ? {} : { maxCalls }),
    ...(deadline === undefined ? {} : { deadline: io.clock.now() + deadline }),
  };
}

async function approve({ autoApprove }: ApplyFlags, { io }: Context): Promise<boolean> {
  if (autoApprove === true) return true;
  const answer = await io.prompt('Apply these changes? Only "yes" is accepted: ');
  return answer?.trim() === 'yes';
}
