import { type Limit, shareOf } from '../../core/model/policy.ts';
import { firstHosts, selectSteps } from '../../core/plan/ordering/select-steps.ts';
import { unitsOf } from '../../core/plan/ordering/units.ts';
import type { RunSummary } from '../../core/plan/types/run-summary.ts';
import { hostIdsOf, type StepId } from '../../core/plan/types/step.ts';
import { problem } from '../../core/problem/problem.ts';
import { type ApplyInputs, applySteps } from './apply-steps.ts';

/** How many hosts to change first: a number, or a share of the plan's hosts. */
export type Canary = Limit;

/**
 * Applies the plan to some hosts first, with all whose renames depend on theirs, verifies them, and only then continues
 * with the rest.
 */
export async function applyStaged(inputs: ApplyInputs, canary: Canary): Promise<RunSummary> {
  const { plan } = inputs;
  const all = new Set(plan.steps.flatMap(hostIdsOf));
  const size = canary.kind === 'count' ? canary.count : Math.max(1, shareOf(canary.percent, all.size));
  const chosen = firstHosts(plan.steps, size, unitsOf(plan.steps));
  const early = selectSteps(plan.steps, (host) => chosen.has(host));
  const begun = new Set(early.map((step) => step.id));
  const late = selectSteps(plan.steps, (host) => !chosen.has(host)).map((step) =>
    begun.has(step.id) ? { ...step, id: `${step.id}-rest` as StepId } : step,
  );

  const { replan: _, ...ownTargets } = inputs;
  // Both stages count the steps of the whole plan.
  const counting =
    (before: number): ApplyInputs['onEvent'] =>
    (event) =>
      inputs.onEvent(
        event.type === 'step_end'
          ? { ...event, done: before + event.done, of: early.length + late.length }
          : event,
      );
  const first = await applySteps({
    ...ownTargets,
    onEvent: counting(0),
    plan: { ...plan, steps: early },
  });
  if (first.verified !== true || late.length === 0) {
    const why = problem('step-skipped', 'not all canary hosts were done and verified', {
      hint: 'check the canary hosts, then apply again',
    });
    const left = late.map(
      (step) => ({ step, outcome: 'not-started', problem: why, failedHosts: [] }) as const,
    );
    return { ...first, steps: [...first.steps, ...left] };
  }
  const read = first.lastRead === null ? {} : { observed: first.lastRead };
  const { observed: __, ...rest } = inputs;
  const second = await applySteps({
    ...rest,
    ...read,
    onEvent: counting(early.length),
    plan: { ...plan, steps: late, pendingInstalls: first.pendingInstalls },
  });
  return {
    ...second,
    ...(first.before === undefined ? {} : { before: first.before }),
    steps: [...first.steps, ...second.steps],
    sent: {
      rename: first.sent.rename + second.sent.rename,
      move: first.sent.move + second.sent.move,
      delete: first.sent.delete + second.sent.delete,
      antivirus: first.sent.antivirus + second.sent.antivirus,
      refresh: first.sent.refresh + second.sent.refresh,
    },
  };
}
