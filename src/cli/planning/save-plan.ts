import { planPieces } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { Result } from '../../core/problem/result.ts';
import type { Context } from '../shell/context.ts';
import { writeWhole } from '../shell/files.ts';

/** Writes a plan to the file that `--out` names. */
export function savePlan(context: Context, plan: Plan, out: string): Promise<Result<null>> {
  return writeWhole(context.path(out), out, planPieces(plan));
}
