import type { PlanText } from './plan-text.ts';
import type { PlanningCase } from './planning-case.ts';
import { realPlan } from './real-plan.ts';
import { referencePlan } from './reference-plan.ts';

/** What only the planner, or only the reference planner, makes of a case. */
export function differencesOf(given: PlanningCase): readonly string[] {
  const real = linesOf(realPlan(given));
  const reference = linesOf(referencePlan(given));
  return [
    ...real.filter((line) => !reference.includes(line)).map((line) => `only the planner: ${line}`),
    ...reference.filter((line) => !real.includes(line)).map((line) => `only the reference: ${line}`),
  ];
}

function linesOf({ steps, problems, summary, calls }: PlanText): readonly string[] {
  const counts = (what: string, of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(([name, count]) => `${what} ${name}: ${count}`);
  return [...steps, ...counts('summary', summary), ...counts('calls', calls), ...problems];
}
