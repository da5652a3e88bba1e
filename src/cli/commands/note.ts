import { isPlansPath, openPlans, type PlansIndex } from '../../accounts/plans/plans-index.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { connectForge } from '../../forge/connect-forge.ts';
import type { ForgePlace } from '../../forge/forge-client.ts';
import { createGitlab } from '../../forge/gitlab.ts';
import { badKey, keyPattern } from '../../forge/marker.ts';
import { type CommentFrame, planComment, plansComment } from '../../forge/plan-comment.ts';
import { longestLabelKey, putLabel, verdictOf } from '../../forge/plan-label.ts';
import { type PutOutcome, putComment } from '../../forge/put-comment.ts';
import { reviewLinks } from '../../forge/review-links.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { noGitlabToken } from '../pipelines/pipeline-forge.ts';
import { loadPlan } from '../planning/print-review.ts';
import type { Context } from '../shell/context.ts';

export interface NoteFlags {
  readonly key?: string;
  readonly recreate?: true;
  readonly label?: true;
}

const gitlabLimit = 1_000_000;
const outcomeWords: Readonly<Record<PutOutcome, string>> = {
  created: 'Posted the plan as a note on the merge request.',
  updated: 'Updated the note on the merge request.',
  recreated: 'Replaced the note on the merge request with a new one.',
  unchanged: 'The note on the merge request already shows this plan.',
  'left-out': 'There is nothing to post.',
};

/**
 * Posts a plan, or the plans of several accounts, on the merge request of this GitLab pipeline, as one note that later
 * pipelines update.
 */
export async function noteCommand(context: Context, flags: NoteFlags, file: string): Promise<ExitCode> {
  const { key = 'default' } = flags;
  if (!keyPattern.test(key)) return context.fail([badKey('--key')]);
  if (flags.label === true && key.length > longestLabelKey) return context.fail([longKey]);
  const planned = await openPlanned(context, file);
  if (!planned.ok) return context.fail(planned.problems);
  const target = readTarget(context.io.env);
  if (!target.ok) return context.fail(target.problems);
  const { place, mergeRequest, jobUrl } = target.value;
  context.redaction.hide([place.token]);
  const gitlab = connectForge(createGitlab, place, context.io);
  if (!gitlab.ok) return context.fail(gitlab.problems);
  const { forge, close } = gitlab.value;
  try {
    const foot = jobUrl === undefined ? [] : [`[Job](${jobUrl})`];
    const body = context.redaction.redact(
      commentOn(context, planned.value, { key, limit: gitlabLimit, foot }),
    );
    const style = flags.recreate === true ? 'recreate' : 'update';
    const put = await putComment(forge.commentsOn(mergeRequest), body, { key, style, worthCreating: true });
    if (!put.ok) return context.fail(put.problems);
    context.log(outcomeWords[put.value]);
    if (flags.label === true) {
      const labeled = await putLabel(forge.labelsOn(mergeRequest), verdictOf(planned.value), key);
      if (!labeled.ok) return context.fail(labeled.problems);
    }
    return exitCodes.success;
  } finally {
    await close();
  }
}

const longKey = problem('usage', `with --label, a key must have at most ${longestLabelKey} characters`, {
  hint: 'GitLab and GitHub limit the length of the name of a label: choose a shorter --key',
});

/** Opens a plan file, or the plans of several accounts in a folder, whose files must be those of its index. */
async function openPlanned(context: Context, file: string): Promise<Result<Plan | PlansIndex>> {
  if (!(await isPlansPath(context.path(file)))) return loadPlan(context, file);
  const plans = await openPlans(context.path(file), file);
  if (!plans.ok) return plans;
  const { index, checkFiles } = plans.value;
  const changed = await checkFiles();
  return changed.ok ? ok(index) : changed;
}

function commentOn({ io }: Context, planned: Plan | PlansIndex, frame: CommentFrame): string {
  return 'review' in planned
    ? plansComment(planned, frame)
    : planComment(planned, { ...frame, links: reviewLinks(io.env, io.cwd) });
}

interface Target {
  readonly place: ForgePlace;
  /** Its number in the project. */
  readonly mergeRequest: number;
  readonly jobUrl?: string;
}

/** GitLab sets all of these in the pipeline of a merge request, except the token. */
function readTarget(env: Environment): Result<Target> {
  const {
    CI_API_V4_URL: api,
    CI_MERGE_REQUEST_PROJECT_ID,
    CI_PROJECT_ID,
    CI_MERGE_REQUEST_IID: mergeRequest,
    CI_JOB_URL: jobUrl,
    RAMPART_GITLAB_TOKEN: token = '',
  } = env;
  const project = CI_MERGE_REQUEST_PROJECT_ID ?? CI_PROJECT_ID;
  if (api === undefined || project === undefined || mergeRequest === undefined) {
    return failed(
      problem('configuration', 'this is not a GitLab merge request pipeline', {
        hint: 'run this in a merge request pipeline, which sets CI_API_V4_URL, CI_PROJECT_ID and CI_MERGE_REQUEST_IID',
      }),
    );
  }
  if (token === '') return failed(noGitlabToken);
  const isLink = jobUrl !== undefined && /^https?:\/\/[^\s()<>]+$/.test(jobUrl);
  return ok({
    place: { api, project, token },
    mergeRequest: Number(mergeRequest),
    ...(isLink && { jobUrl }),
  });
}
