import type { Step, StepId } from '../types/step.ts';

/**
 * Passes on the steps that wait for nothing. The returned function gives the steps that become ready when a step ends.
 */
export function openUp(
  steps: readonly Step[],
  isEnded: (id: StepId) => boolean,
  onReady: (step: Step) => void,
): (ended: StepId) => readonly Step[] {
  const open = new Map<StepId, number>();
  const waiting = new Map<StepId, Step[]>();
  for (const step of steps) {
    const before = step.after.filter((id) => !isEnded(id));
    open.set(step.id, before.length);
    for (const id of before) {
      const list = waiting.get(id);
      if (list === undefined) waiting.set(id, [step]);
      else list.push(step);
    }
    if (before.length === 0) onReady(step);
  }
  return (ended) =>
    (waiting.get(ended) ?? []).filter((step) => {
      const left = (open.get(step.id) as number) - 1;
      open.set(step.id, left);
      return left === 0;
    });
}
