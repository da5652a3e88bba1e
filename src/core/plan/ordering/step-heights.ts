import type { Step, StepId } from '../types/step.ts';

/** For each step, the length of the longest chain of steps that begins with it: steps with longer chains go first. */
export function stepHeights(steps: readonly Step[]): ReadonlyMap<StepId, number> {
  const heights = new Map<StepId, number>(steps.map((step) => [step.id, 1]));
  for (const step of steps.toReversed()) {
    const height = heights.get(step.id) as number;
    for (const id of step.after) {
      const before = heights.get(id);
      if (before !== undefined && before <= height) heights.set(id, height + 1);
    }
  }
  return heights;
}
