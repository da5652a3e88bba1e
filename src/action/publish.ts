import { ok, type Result } from '../core/problem/problem.ts';
import { furtherComments, roomInComments } from '../forge/further-comments.ts';
import type { Github } from '../forge/github.ts';
import { planComment, plansComment, textComment } from '../forge/plan-comment.ts';
import { putLabel, verdictOf } from '../forge/plan-label.ts';
import { putComment } from '../forge/put-comment.ts';
import { reviewLinks } from '../forge/review-links.ts';
import { exitCodes, isGood } from '../run/apply/exit-code.ts';
import { toAnnotations } from './annotations.ts';
import type { Job, Outcome } from './job.ts';

/** In characters: never more than the 1 MiB that GitHub accepts for a step, whatever the characters. */
const summaryLimit = 300_000;
const commentLimit = 65_536;
const shortCommentLimit = 20_000;

/** Publishes an outcome to people and to later steps. A failure here does not fail the step. */
export async function publish(job: Job, outcome: Outcome, github: () => Result<Github>): Promise<void> {
  const { runner, inputs } = job;
  if (inputs.annotations) {
    for (const each of toAnnotations(outcome.problems, inputs.workingDirectory)) runner.annotate(each);
  }
  for (const [name, value] of Object.entries(outcome.outputs)) runner.output(name, value);
  runner.output('exit-code', String(outcome.exitCode));
  const commented = await comment(job, outcome, github);
  const notice = ({ ok: isDone, problems }: Result<unknown>, what: string, needs = '') => {
    if (isDone) return;
    const why = problems.map(({ message }) => message).join('; ');
    const forbidden = problems.some(({ code }) => code === 'forbidden');
    const advice = forbidden ? ` The job needs "permissions: pull-requests: write"${needs}.` : '';
    runner.annotate({ kind: 'notice', title: 'Rampart', message: `${what}: ${why}.${advice}` });
  };
  notice(commented, 'The plan is in the job summary, not in a comment');
  notice(
    await label(job, outcome, github),
    'The label of the pull request may be out of date',
    ', and "issues: write" to create a label',
  );
  if (inputs.summary || !commented.ok) await runner.summary(summaryOf(outcome));
}

/** Comments only on a plan of a pull request. */
async function comment(job: Job, outcome: Outcome, github: () => Result<Github>): Promise<Result<unknown>> {
  const { inputs, event, redaction } = job;
  if (inputs.mode !== 'plan' || inputs.comment === 'off' || event.kind !== 'pull-request') return ok(null);
  const api = github();
  if (!api.ok) return api;
  const comments = api.value.commentsOn(event.number);
  const hasNews = outcome.exitCode !== exitCodes.success;
  const worthCreating = inputs.commentWhen === 'always' || hasNews;
  const options = { key: inputs.key, style: inputs.comment, worthCreating };
  const { plan, index } = outcome;
  const put = (limit: number) => {
    const body = commentBody(job, outcome, limit);
    // What the first comment leaves out is in others. A failure without a plan leaves nothing out.
    const isPlan = plan !== undefined || index !== undefined;
    const full = isPlan ? outcome.markdown(roomInComments(limit)) : body;
    const further = furtherComments(body, full, inputs.key, limit).map(redaction.redact);
    return putComment(comments, redaction.redact(body), { ...options, further });
  };
  const whole = await put(commentLimit);
  const isTooLong = !whole.ok && whole.problems.some(({ code }) => code === 'too-large');
  return isTooLong ? put(shortCommentLimit) : whole;
}

/** Labels a plan of a pull request by its verdict. The token of a pull request from a fork can only read. */
async function label(
  { inputs, event }: Job,
  { exitCode, plan, index }: Outcome,
  github: () => Result<Github>,
): Promise<Result<unknown>> {
  if (!inputs.labels || inputs.mode !== 'plan' || event.kind !== 'pull-request' || event.isFork)
    return ok(null);
  const api = github();
  if (!api.ok) return api;
  const planned = index ?? plan;
  const verdict = isGood(exitCode) && planned !== undefined ? verdictOf(planned) : 'failed';
  return putLabel(api.value.labelsOn(event.number), verdict, inputs.key);
}

function commentBody(job: Job, { plan, index, markdown }: Outcome, limit: number): string {
  const { event } = job;
  const head = event.kind === 'pull-request' ? event.head : undefined;
  const frame = {
    key: job.inputs.key,
    ...(head === undefined ? {} : { head }),
    limit,
    foot: foot(job),
  };
  if (index !== undefined) return plansComment(index, frame, markdown);
  return plan === undefined
    ? textComment(markdown, frame)
    : planComment(plan, { ...frame, links: reviewLinks(job.runner.io.env, job.folder) });
}

/** Links to the run, as trusted Markdown. */
export function runLink({ runner }: Job): readonly string[] {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = runner.io.env;
  const url = `${server}/${repository}/actions/runs/${run}`;
  return /^https?:\/\/[\w.:/-]+$/.test(url) ? [`[Run](${url})`] : [];
}

function foot(job: Job): readonly string[] {
  const { inputs } = job;
  const link = runLink(job);
  return inputs.key === 'default' ? link : [`\`${inputs.key}\``, ...link];
}

function summaryOf({ markdown, plan, index, outputs }: Outcome): string {
  const { checksum } = outputs;
  const canApply = plan?.applicable === true || index !== undefined;
  const foot = canApply && checksum !== undefined ? `\n<sub>Checksum \`${checksum}\`</sub>\n` : '';
  const text = markdown(summaryLimit - foot.length) + foot;
  return text.length <= summaryLimit
    ? text
    : '## Rampart\n\nThe errors and deletions do not fit in a summary: see the log and the plan file.\n';
}
