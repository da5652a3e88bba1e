import type { Desired } from '../../core/model/desired.ts';
import { checkPlan, type PlanDifference } from '../../core/plan/guards/check-plan.ts';
import { makePlan } from '../../core/plan/make-plan.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { DesiredLoader } from '../../input/load-many.ts';
import type { PlanCase } from '../../input/plan-tests/plan-case.ts';
import { readDesired } from '../../input/read-desired.ts';
import { openTablesIn } from '../../input/sources/open-table.ts';
import { checkNamed } from '../../input/sources/project.ts';
import { exitForPlan } from '../../run/apply/exit-code.ts';
import type { Context } from '../shell/context.ts';
import { fleetOfCase } from './fleet-of-case.ts';

/** The result of one case. */
export interface CaseResult {
  readonly file: string;
  readonly case: PlanCase;
  /** Empty if the case passed. */
  readonly differences: readonly PlanDifference[];
}

/** Plans as `rampart plan` does, on the fleet of the case. A fleet or a desired state that can't be read is a failure. */
export async function runCase(
  context: Context,
  file: string,
  tested: PlanCase,
  defaults: readonly string[],
  load: DesiredLoader,
): Promise<Result<CaseResult>> {
  const now = tested.now ?? new Date(context.io.clock.now()).toISOString();
  const fleet = await fleetOfCase(context, tested.observed, now);
  const desired = await desiredOf(context, tested, defaults, load);
  if (!fleet.ok || !desired.ok) {
    return failed(...(fleet.ok ? [] : fleet.problems), ...(desired.ok ? [] : desired.problems));
  }
  const { observed, facts } = fleet.value;
  const { ack, ...options } = tested.options;
  const plan = makePlan({
    desired: desired.value,
    observed,
    facts: tested.account === undefined ? facts : { ...facts, account: tested.account },
    account: { companyId: desired.value.companyId?.value ?? null, service: 'test' },
    now,
    acks: ack,
    ...options,
  });
  const differences = checkPlan(tested.expect, {
    plan,
    observed,
    policy: desired.value.policy,
    exit: exitForPlan(plan, { detailed: false }),
  });
  return ok({ file, case: tested, differences });
}

async function desiredOf(
  { io }: Context,
  { desired, place }: PlanCase,
  defaults: readonly string[],
  load: DesiredLoader,
): Promise<Result<Desired>> {
  if (desired === undefined) return load(defaults);
  if (desired.kind === 'files') {
    const outside = desired.paths.flatMap((path) => checkNamed(path, place.file, io.cwd).problems);
    return outside.length > 0 ? failed(...outside.map((each) => ({ ...each, place }))) : load(desired.paths);
  }
  const { file, text, root } = desired;
  return readDesired([{ file, text: text.text, parsed: { text, root } }], {
    openTable: openTablesIn(io.cwd),
  });
}
