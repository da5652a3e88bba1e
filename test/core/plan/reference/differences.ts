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
    ...real.filter((line) => !reference.includes(line)).map((line) => `only the planner: ${line}`),
    ...reference.filter((line) => !real.includes(line)).map((line) => `only the reference: ${line}`),
  ];
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
