import type { FleetToPlan } from '../../accounts/engine/read-facts.ts';
import type { AccountAck } from '../../accounts/rollouts/spread-acks.ts';
import type { Desired } from '../../core/model/desired.ts';
import { withAllowedDeletions } from '../../core/plan/allowed-deletions.ts';
import { baselineOfFleet } from '../../core/plan/drift/baseline.ts';
import { comparePlans } from '../../core/plan/drift/three-way.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { ok, type Problem, type Result } from '../../core/problem/problem.ts';
import { rehearse } from '../../run/apply/rehearse.ts';
import type { Context } from '../shell/context.ts';
import { createCommandPlanner, type FleetFlags, fleetToPlan } from './planning.ts';
import type { ReviewFlags } from './print-review.ts';

export interface PlanFlags extends FleetFlags, ReviewFlags {
  /** Signs the saved plan. */
  readonly sign?: true;
  /** The approvals for several accounts. */
  readonly accountAcks?: readonly AccountAck[];
  readonly out?: string;
  readonly detailedExitcode?: true;
  readonly rehearse?: true;
  /** A file or a Git revision. Changes that it already contains count as pending. */
  readonly base?: string;
}

export interface PlanSources {
  readonly desired: () => Promise<Result<Desired>>;
  /** The desired state before the change. Compared as a whole only with `--base`. */
  readonly base?: () => Promise<Result<Desired>>;
  /** Gets warnings and notes as soon as they are known. */
  readonly report: (problems: readonly Problem[]) => void;
}

/** Reads the desired state and the fleet of one account, and plans. The problems of a failure are in the result. */
export async function planOnce(
  context: Context,
  flags: PlanFlags,
  sources: PlanSources,
): Promise<Result<Plan>> {
  const desired = await sources.desired();
  if (!desired.ok) return desired;
  sources.report(desired.problems);
  const base = await sources.base?.();
  const compared = flags.base === undefined ? undefined : base;
  if (compared?.ok === false) return compared;
  const fleet = await fleetToPlan(context, desired.value, flags, compared?.value);
  if (!fleet.ok) return fleet;
  sources.report(fleet.problems);
  const { observed } = fleet.value;
  const planner = await createCommandPlanner(context, { desired: desired.value, ...fleet.value }, flags);
  if (!planner.ok) return planner;
  const bare = planner.value.planOn(observed);
  if (!bare.ok) return bare;
  const warned = base?.ok === true ? withAllowedDeletions(bare.value, base.value, desired.value) : bare.value;
  const plan =
    compared === undefined
      ? ok(warned)
      : await comparedWithBase(warned, compared.value, flags, fleet.value, context);
  if (!plan.ok || flags.rehearse !== true) return plan;
  const rehearsal = await rehearse(plan.value, observed, { pace: plan.value.forecast?.pace });
  return ok({ ...plan.value, rehearsal });
}

/** The plan together with its differences from the plan of the base, made on the same fleet. */
async function comparedWithBase(
  head: Plan,
  base: Desired,
  flags: PlanFlags,
  fleet: FleetToPlan,
  context: Context,
): Promise<Result<Plan>> {
  const planner = await createCommandPlanner(context, { ...fleet, desired: base }, flags);
  if (!planner.ok) return planner;
  const plan = planner.value.planOn(fleet.observed);
  if (!plan.ok) return plan;
  const state = await context.state.open();
  const left = state.ok ? await state.value.readFleet(fleet.account) : state;
  const baseline =
    left.ok && left.value !== null ? baselineOfFleet(left.value, 'the result of the last run') : undefined;
  return ok({
    ...head,
    comparison: comparePlans(head, { plan: plan.value, source: flags.base ?? '' }, baseline),
  });
}
