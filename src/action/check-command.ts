import { failed, ok, problem, type Result } from '../core/problem/problem.ts';
import type { Github, PullRequest, WrittenComment } from '../forge/github.ts';
import { reviewedPlan } from '../forge/put-comment.ts';
import { commitAt } from '../run/state/origin/git.ts';
import type { CommentCommand } from './comment-command.ts';
import type { CommentEvent } from './event.ts';
import type { Job } from './job.ts';

/** A command that its author is allowed to give, and the commits that it is bound to. */
export interface AllowedCommand {
  readonly author: string;
  readonly request: PullRequest;
  /** The commit of the checkout, and the commit to compare it with. */
  readonly checkout: string;
  readonly base: string;
  /** For apply: the checksum of the plan that the comment on the pull request shows. */
  readonly checksum?: string;
}

/** Bots and issues get no reply: two bots could reply to each other forever. */
type CheckedCommand = Result<AllowedCommand> & { readonly isSilent?: boolean };

/**
 * Asks GitHub, not the event, who wrote the comment, what its author may do, and what the pull request is now. A command
 * is refused if the comment was edited, if a commit was pushed after the plan, or if the plan changed after the command.
 */
export async function checkCommand(
  job: Job,
  api: Github,
  { command, event }: { readonly command: CommentCommand; readonly event: CommentEvent },
): Promise<CheckedCommand> {
  if (event.pullRequest === null) {
    return { ...refuse('the comment is on an issue, not on a pull request'), isSilent: true };
  }
  const comment = await api.comment(event.comment);
  if (!comment.ok) return comment;
  if (comment.value === null) return refuse('the comment was deleted');
  const { author, authorType, createdAt, changedAt } = comment.value;
  if (authorType !== 'User') {
    return { ...refuse(`the author ${author} is not a person`), isSilent: true };
  }
  if (comment.value.body !== event.body || changedAt !== createdAt) {
    return refuse('the comment was edited', 'write the command in a new comment');
  }
  const permission = await api.permissionOf(author);
  if (!permission.ok) return permission;
  if (permission.value !== 'admin' && permission.value !== 'write') {
    return refuse(`${author} has no write access to this repository`);
  }
  const request = await api.pullRequest(event.pullRequest);
  if (!request.ok) return request;
  if (!request.value.isOpen) return refuse('the pull request is closed');
  const commits = await checkedOut(job, request.value);
  if (!commits.ok) return commits;
  const allowed = { author, request: request.value, ...commits.value };
  if (command.kind !== 'apply') return ok(allowed);
  const checksum = await checksumFor(job, api, {
    command,
    event,
    comment: comment.value,
    request: request.value,
  });
  return checksum.ok ? ok({ ...allowed, checksum: checksum.value }) : checksum;
}

/** The checkout must be the head of the pull request, or the result of its merge. */
async function checkedOut(
  { folder, runner }: Job,
  { head, base }: PullRequest,
): Promise<Result<Pick<AllowedCommand, 'checkout' | 'base'>>> {
  const options = { cwd: folder, env: runner.io.env };
  const checkout = await commitAt('HEAD', options);
  if (checkout !== undefined && checkout === head) return ok({ checkout, base });
  const [into, merged] = [await commitAt('HEAD^1', options), await commitAt('HEAD^2', options)];
  if (checkout === undefined || into === undefined || merged !== head) {
    return refuse(
      `the checkout is not the head of the pull request (${head.slice(0, 7)}): another commit was pushed`,
      'write the command again after the review of the new commit',
    );
  }
  return ok({ checkout, base: into });
}

interface ApplyRequest {
  readonly command: Extract<CommentCommand, { readonly kind: 'apply' }>;
  readonly event: CommentEvent;
  readonly comment: WrittenComment;
  readonly request: PullRequest;
}

async function checksumFor(
  { inputs, event: { defaultBranch } }: Job,
  api: Github,
  { command, event, comment, request }: ApplyRequest,
): Promise<Result<string>> {
  if (request.isFork) {
    return refuse('the pull request comes from a fork', 'merge it, then the plan is applied');
  }
  if (request.into !== defaultBranch) return refuse('the pull request is not for the default branch');
  const planAgain = 'comment /rampart plan, review the plan, and comment /rampart apply';
  const shown = await reviewedPlan(api.commentsOn(event.pullRequest ?? 0), inputs.key);
  if (!shown.ok) return shown;
  if (shown.value === null) {
    return refuse(`no comment shows a plan that can be applied (comment-key ${inputs.key})`, planAgain);
  }
  const { checksum, head, changedAt } = shown.value;
  if (head !== request.head) {
    return refuse(
      `the plan in the comment is not for the head of the pull request (${request.head.slice(0, 7)})`,
      planAgain,
    );
  }
  if (changedAt === undefined || Date.parse(changedAt) >= Date.parse(comment.createdAt)) {
    return refuse('the plan in the comment changed after the command was written', planAgain);
  }
  if (command.checksum !== undefined && !checksum.startsWith(command.checksum)) {
    return refuse(
      `the comment shows the plan ${checksum.slice(0, 12)}, not ${command.checksum.slice(0, 12)}`,
    );
  }
  return ok(checksum);
}

function refuse(message: string, hint?: string): Result<never> {
  return failed(problem('not-approved', message, hint === undefined ? {} : { hint }));
}
