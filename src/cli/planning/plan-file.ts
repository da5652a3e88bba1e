import { planPieces, readPlan } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { Result } from '../../core/problem/problem.ts';
import { type Context, readTextFile, writeWhole } from '../shell/context.ts';

export async function loadPlan(context: Context, file: string): Promise<Result<Plan>> {
  const text = await readTextFile(context.path(file), file);
  return text.ok ? readPlan(text.value, file) : text;
}

/** Writes a plan to the file that `--out` names. */
export function savePlan(context: Context, plan: Plan, out: string): Promise<Result<null>> {
  return writeWhole(context.path(out), out, planPieces(plan));
}
