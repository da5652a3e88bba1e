import { planPieces } from '../../../core/plan/document/plan-document.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, type Result } from '../../../core/problem/result.ts';
import type { Context } from '../shell/context.ts';
import { writeWhole } from '../shell/files.ts';

/** Writes a plan to the file that `--out` names, unless the plan was made from that file. */
export async function savePlan(context: Context, plan: Plan, out: string): Promise<Result<null>> {
  const target = context.path(out);
  return plan.files.some((each) => context.path(each) === target)
    ? failed(overwriting(out))
    : writeWhole(target, out, planPieces(plan));
}

const overwriting = (out: string) =>
  problem('usage', `--out ${out} would overwrite the desired state with the plan`, {
    hint: 'save the plan to another file, such as plan.json',
  });
