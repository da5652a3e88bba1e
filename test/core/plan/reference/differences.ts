import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import type { PlanText } from './plan-text.ts';
import { type PlanningCase, planInputs } from './planning-case.ts';
import { textOfPlan } from './real-plan.ts';
import { referencePlan } from './reference-planner.ts';

/** What only the planner, or only the reference planner, makes of a case. */
export function differencesOf(given: PlanningCase): readonly string[] {
  const inputs = planInputs(given);
  const real = linesOf(textOfPlan(makePlan(inputs)));
  const reference = linesOf(referencePlan(inputs));
  return [
    ...without(real, reference).map((line) => `only the planner: ${line}`),
    ...without(reference, real).map((line) => `only the reference: ${line}`),
  ];
}

/** The lines that others do not have, or have less often. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function linesOf({ steps, problems, summary, calls, undo }: PlanText): readonly string[] {
  const counts = (what: string, of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(([name, count]) => `${what} ${name}: ${count}`);
  return [
    ...steps,
    ...counts('summary', summary),
    ...counts('calls', calls),
    ...undo.map((line) => `undo ${line}`),
    ...problems,
  ];
}
