import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { badKey, keyPattern } from '../../forge/marker.ts';
import { mergedAs, type ReviewedPlan, reviewedPlan } from '../../forge/put-comment.ts';
import type { Context } from '../shell/context.ts';
import { openGitlab } from './pipeline-forge.ts';

/**
 * The plan, or the plans of several accounts, that people saw on the merge request whose merge made the commit of this GitLab pipeline. It
 * comes from the note of `rampart plan note` with this key, and only from one that the token's own user has written.
 */
export async function reviewedOnForge(context: Context, key: string): Promise<Result<ReviewedPlan>> {
  const { CI_COMMIT_SHA: commit = '', RAMPART_CHECKSUM: given = '' } = context.io.env;
  if (!keyPattern.test(key)) return failed(badKey('--reviewed'));
  if (given !== '') return ok({ checksum: given });
  const connected = openGitlab(context);
  if (!connected.ok) return connected;
  const { forge, close } = connected.value;
  try {
    if (commit === '') return failed(notMerged);
    const merged = await mergedAs(commit, forge);
    if (!merged.ok) return merged;
    if (merged.value === undefined) return failed(notMerged);
    const plan = await reviewedPlan(forge.commentsOn(merged.value), key);
    if (!plan.ok) return plan;
    return plan.value === null ? failed(notReviewed(merged.value, key)) : ok(plan.value);
  } finally {
    await close();
  }
}

const hint =
  'review the plan of this pipeline, then run the job again with its checksum as the variable RAMPART_CHECKSUM';

const notMerged = problem(
  'not-approved',
  'this commit is not the merge of a merge request, so no plan was reviewed',
  { hint },
);

function notReviewed(number: number, key: string) {
  return problem(
    'not-approved',
    `merge request ${number} has no note of rampart plan note with a plan that can be applied (key ${key})`,
    { hint },
  );
}
