import type { Desired } from '../../../core/model/desired.ts';
import type { Observed } from '../../../core/model/observed.ts';
import { planPieces } from '../../../core/plan/document/plan-document.ts';
import { baselineOfFleet } from '../../../core/plan/drift/baseline.ts';
import { comparePlans } from '../../../core/plan/drift/three-way.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { rehearse } from '../../../run/apply/rehearse.ts';
import { readBaseState } from '../planning/base-state.ts';
import { type FleetFlags, type FleetToPlan, fleetToPlan } from '../planning/fleet-to-plan.ts';
import { createPlanner } from '../planning/planning.ts';
import { printInFormat, type ReviewFlags } from '../planning/print-review.ts';
import { readDesiredState } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitForPlan } from '../shell/exit-code.ts';
import { writeWhole } from '../shell/files.ts';

export interface PlanFlags extends FleetFlags, ReviewFlags {
  readonly out?: string;
  readonly detailedExitcode?: true;
  readonly rehearse?: true;
  /** A file or a Git revision. Changes that it already contains count as pending. */
  readonly base?: string;
}

/** Compares the desired state with the fleet and shows what an apply would do. Sends only GET requests. */
export async function plan(context: Context, flags: PlanFlags): Promise<ExitCode> {
  const desired = await readDesiredState(flags.file ?? [], context);
  if (!desired.ok) return context.fail(desired.problems);
  context.report(desired.problems);

  const base =
    flags.base === undefined ? undefined : await readBaseState(flags.base, flags.file ?? [], context);
  if (base?.ok === false) return context.fail(base.problems);
  const fleet = await fleetToPlan(context, desired.value, flags, base?.value);
  if (!fleet.ok) return context.fail(fleet.problems);
  context.report(fleet.problems);
  const { observed } = fleet.value;
  const planner = await createPlanner(context, { desired: desired.value, ...fleet.value }, flags);
  if (!planner.ok) return context.fail(planner.problems);
  const bare = planner.value.planOn(observed);
  if (!bare.ok) return context.fail(bare.problems);
  const compared =
    base === undefined ? bare : await comparedWithBase(bare.value, base.value, flags, fleet.value, context);
  if (!compared.ok) return context.fail(compared.problems);
  const made = flags.rehearse === true ? await rehearsed(compared.value, observed) : compared.value;

  if (flags.out !== undefined) {
    const written = await writeWhole(context.path(flags.out), flags.out, planPieces(made));
    if (!written.ok) return context.fail(written.problems);
  }
  await printInFormat(made, context, flags);
  if (flags.out !== undefined) {
    context.log(
      made.applicable
        ? `Saved the plan to ${flags.out}. Apply it with: rampart apply ${flags.out}`
        : `Saved the plan to ${flags.out}. It can't be applied: see the errors`,
    );
  }
  return exitForPlan(made, { detailed: flags.detailedExitcode ?? false });
}

/** The plan together with its differences from the plan of the base, made on the same fleet. */
async function comparedWithBase(
  head: Plan,
  base: Desired,
  flags: PlanFlags,
  fleet: FleetToPlan,
  context: Context,
): Promise<Result<Plan>> {
  const planner = await createPlanner(context, { ...fleet, desired: base }, flags);
  if (!planner.ok) return planner;
  const plan = planner.value.planOn(fleet.observed);
  if (!plan.ok) return plan;
  const state = await context.state.open();
  const left = state.ok ? await state.value.readFleet(fleet.account) : state;
  const baseline =
    left.ok && left.value !== null
      ? baselineOfFleet(left.value.observed, 'the result of the last run')
      : undefined;
  return ok({
    ...head,
    comparison: comparePlans(head, { plan: plan.value, source: flags.base ?? '' }, baseline),
  });
}

async function rehearsed(bare: Plan, observed: Observed): Promise<Plan> {
  const pace = bare.forecast?.pace;
  return { ...bare, rehearsal: await rehearse(bare, observed, pace === undefined ? {} : { pace }) };
}
