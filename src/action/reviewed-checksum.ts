import { problem } from '../core/problem/problem.ts';
import { failed, ok, type Result } from '../core/problem/result.ts';
import type { Github } from '../forge/github.ts';
import { reviewedPlan } from '../forge/put-comment.ts';
import type { Job } from './job.ts';

const hint = 'have the plan reviewed, then run this again with its checksum as the input checksum';

/** The checksum of the approved plan: as given in the input, or as shown in the comment on the merged pull request. */
export async function checksumToApply(
  { inputs, event }: Job,
  github: () => Result<Github>,
): Promise<Result<string>> {
  if (inputs.checksum !== undefined) return ok(inputs.checksum);
  if (event.kind === 'pull-request' && !event.merged) {
    return failed(problem('not-approved', `pull request ${event.number} is not merged`, { hint }));
  }
  if (event.kind !== 'pull-request' && event.kind !== 'push') {
    return failed(problem('not-approved', 'no plan was reviewed for this run', { hint }));
  }
  const api = github();
  if (!api.ok) return api;
  const merged = event.kind === 'push' ? await mergedAs(event.commit, api.value) : ok(event.number);
  if (!merged.ok) return merged;
  if (merged.value === undefined) {
    return failed(
      problem('not-approved', 'this commit is not the merge of a pull request, so no plan was reviewed', {
        hint,
      }),
    );
  }
  const plan = await reviewedPlan(api.value.commentsOn(merged.value), inputs.key);
  if (!plan.ok) return plan;
  if (plan.value !== null) return ok(plan.value.checksum);
  return failed(
    problem(
      'not-approved',
      `pull request ${merged.value} has no Rampart comment with a plan that can be applied (comment-key ${inputs.key})`,
      { hint },
    ),
  );
}

/** The number of the pull request whose merge made this commit. */
async function mergedAs(commit: string, api: Github): Promise<Result<number | undefined>> {
  const pulls = await api.mergedPulls(commit);
  return pulls.ok ? ok(pulls.value.find(({ isExact }) => isExact)?.number) : pulls;
}
