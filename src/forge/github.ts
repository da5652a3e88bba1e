import { Octokit } from '@octokit/rest';
import { z } from 'zod';
import type { Clock } from '../core/lib/clock.ts';
import { type Problem, problem } from '../core/problem/problem.ts';
import { failed, ok, type Result } from '../core/problem/result.ts';
import type { Environment } from '../run/state/origin/environment.ts';
import type { Comments, PostedComment } from './comments.ts';
import { callForge, type ForgeReply } from './forge-call.ts';
import { createGithubIssues } from './github-issues.ts';
import { createGithubLabels } from './github-labels.ts';
import { type Answer, reply } from './github-reply.ts';
import type { Issues } from './issues.ts';
import type { Labels } from './plan-label.ts';

/** The requests that the action sends to GitHub. */
export interface Github {
  commentsOn(pullRequest: number): Comments;
  labelsOn(pullRequest: number): Labels;
  /** The pull request whose merge made this commit; null if none did. */
  mergedPullRequest(commit: string): Promise<Result<number | null>>;
  /** Null if it was deleted. */
  comment(id: number): Promise<Result<WrittenComment | null>>;
  /** What this person may do in the repository: `admin`, `write`, `read` or `none`. */
  permissionOf(login: string): Promise<Result<string>>;
  pullRequest(number: number): Promise<Result<PullRequest>>;
  react(comment: number, reaction: '+1' | '-1' | 'eyes'): Promise<Result<null>>;
  /** The issues of this key. */
  readonly issues: (key: string) => Issues;
}

/** A comment as it is now. */
export interface WrittenComment {
  readonly body: string;
  readonly author: string;
  /** `User` for a person. */
  readonly authorType: string;
  readonly createdAt: string;
  readonly changedAt: string;
}

export interface PullRequest {
  readonly isOpen: boolean;
  /** The last commit of its branch. */
  readonly head: string;
  readonly isFork: boolean;
  /** The commit and the branch that it will be merged into. */
  readonly base: string;
  readonly into: string;
}

export interface GithubOptions {
  readonly token: string;
  readonly env: Environment;
  readonly clock: Clock;
}

const onPage = 100;
const mostPages = 100;

/** The usual author of comments by workflows, if GitHub does not report whose token it is. */
const usualAuthor = 'github-actions[bot]';

/** GitHub's REST API at the address that the runner provides. */
export function createGithub({ token, env, clock }: GithubOptions): Result<Github> {
  const [owner = '', repo = ''] = (env['GITHUB_REPOSITORY'] ?? '').split('/');
  if (owner === '' || repo === '') {
    return failed(
      problem('configuration', 'GITHUB_REPOSITORY does not contain a repository', {
        hint: 'GitHub Actions sets it',
      }),
    );
  }
  const octokit = new Octokit({
    auth: token,
    baseUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    log: silent,
  });
  const here = { owner, repo };
  let author: string | undefined;

  return ok({
    commentsOn: (number) => ({
      author: async () => ok(await authorOfToken()),
      async list() {
        const found: PostedComment[] = [];
        for (let page = 1; page <= mostPages; page += 1) {
          const listed = await read("the comments can't be read", () =>
            octokit.rest.issues.listComments({ ...here, issue_number: number, per_page: onPage, page }),
          );
          if (!listed.ok) return listed;
          const comments = readComments(listed.value.body);
          if (comments === undefined) return failed(malformed('comments'));
          found.push(...comments);
          if (!/rel="next"/.test(listed.value.headers['link'] ?? '')) break;
        }
        return ok(found);
      },
      create: (body) =>
        write("the comment can't be written", false, () =>
          octokit.rest.issues.createComment({ ...here, issue_number: number, body }),
        ),
      update: (id, body) =>
        write("the comment can't be changed", true, () =>
          octokit.rest.issues.updateComment({ ...here, comment_id: Number(id), body }),
        ),
      remove: (id) =>
        write("the old comment can't be removed", true, () =>
          octokit.rest.issues.deleteComment({ ...here, comment_id: Number(id) }),
        ),
    }),
    labelsOn: (pullRequest) => createGithubLabels({ octokit, here, clock, pullRequest }),
    async mergedPullRequest(commit) {
      const listed = await read("the pull request of this commit can't be found", () =>
        octokit.rest.repos.listPullRequestsAssociatedWithCommit({
          ...here,
          commit_sha: commit,
          per_page: onPage,
        }),
      );
      if (!listed.ok) return listed;
      return Array.isArray(listed.value.body)
        ? ok(mergedBy(commit, listed.value.body))
        : failed(malformed('pull requests'));
    },
    async comment(id) {
      const found = await read("the comment can't be read", () =>
        octokit.rest.issues.getComment({ ...here, comment_id: id }),
      );
      if (!found.ok) return isMissing(found.problems) ? ok(null) : found;
      const comment = readComment(found.value.body);
      return comment === undefined ? failed(malformed('a comment')) : ok(comment);
    },
    async permissionOf(login) {
      const found = await read("the permission of the author can't be read", () =>
        octokit.rest.repos.getCollaboratorPermissionLevel({ ...here, username: login }),
      );
      if (!found.ok) return isMissing(found.problems) ? ok('none') : found;
      const { permission } = (found.value.body ?? {}) as { readonly permission?: unknown };
      return typeof permission === 'string' ? ok(permission) : failed(malformed('a permission'));
    },
    async pullRequest(number) {
      const found = await read("the pull request can't be read", () =>
        octokit.rest.pulls.get({ ...here, pull_number: number }),
      );
      if (!found.ok) return found;
      const request = readPullRequest(found.value.body);
      return request === undefined ? failed(malformed('a pull request')) : ok(request);
    },
    react: (comment, content) =>
      write("the reaction can't be written", true, () =>
        octokit.rest.reactions.createForIssueComment({ ...here, comment_id: comment, content }),
      ),
    issues: (key) => createGithubIssues({ octokit, here, clock, author: authorOfToken, key }),
  });

  async function authorOfToken(): Promise<string> {
    author ??= await viewer(octokit);
    return author;
  }

  function read(failure: string, send: () => Promise<Answer>): Promise<Result<ForgeReply>> {
    return callForge({ failure, repeatable: true, send: () => reply(send()) }, clock);
  }

  async function write(
    failure: string,
    repeatable: boolean,
    send: () => Promise<Answer>,
  ): Promise<Result<null>> {
    const done = await callForge({ failure, repeatable, send: () => reply(send()) }, clock);
    return done.ok ? ok(null) : done;
  }
}

/** A workflow's own token may not ask the REST API for its login, but GraphQL returns it. */
async function viewer(octokit: Octokit): Promise<string> {
  try {
    const { viewer } = await octokit.graphql<{ readonly viewer?: { readonly login?: unknown } }>(
      '{ viewer { login } }',
    );
    return typeof viewer?.login === 'string' ? viewer.login : usualAuthor;
  } catch {
    return usualAuthor;
  }
}

function readComments(body: unknown): readonly PostedComment[] | undefined {
  if (!Array.isArray(body)) return undefined;
  return body.flatMap((comment: unknown) => {
    const {
      id,
      user,
      body: text,
      updated_at: changed,
    } = comment as {
      readonly id?: unknown;
      readonly user?: { readonly login?: unknown } | null;
      readonly body?: unknown;
      readonly updated_at?: unknown;
    };
    const login = user?.login;
    if (!Number.isSafeInteger(id) || typeof login !== 'string') return [];
    const changedAt = typeof changed === 'string' ? { changedAt: changed } : {};
    return [{ id: String(id), author: login, body: typeof text === 'string' ? text : '', ...changedAt }];
  });
}

function isMissing(problems: readonly Problem[]): boolean {
  return problems.some(({ code }) => code === 'not-found');
}

const commentShape = z.object({
  body: z.string(),
  user: z.object({ login: z.string().regex(/^[\w-]+(?:\[bot\])?$/), type: z.string() }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

function readComment(body: unknown): WrittenComment | undefined {
  const read = commentShape.safeParse(body);
  if (!read.success) return undefined;
  const { user, created_at: createdAt, updated_at: changedAt } = read.data;
  return { body: read.data.body, author: user.login, authorType: user.type, createdAt, changedAt };
}

const commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
const requestShape = z.object({
  state: z.string(),
  head: z.object({ sha: commit, repo: z.object({ full_name: z.string() }).nullable() }),
  base: z.object({ sha: commit, ref: z.string(), repo: z.object({ full_name: z.string() }) }),
});

/** The repository of a fork that was deleted is null. */
function readPullRequest(body: unknown): PullRequest | undefined {
  const read = requestShape.safeParse(body);
  if (!read.success) return undefined;
  const { state, head, base } = read.data;
  return {
    isOpen: state === 'open',
    head: head.sha,
    isFork: head.repo?.full_name !== base.repo.full_name,
    base: base.sha,
    into: base.ref,
  };
}

function mergedBy(commit: string, requests: readonly unknown[]): number | null {
  const found = requests.find((request) => {
    const { merged_at: at, merge_commit_sha: sha } = request as Readonly<Record<string, unknown>>;
    return typeof at === 'string' && sha === commit;
  });
  const { number } = (found ?? {}) as { readonly number?: unknown };
  return Number.isSafeInteger(number) ? (number as number) : null;
}

function malformed(what: string) {
  return problem('malformed-response', `GitHub did not return ${what}`);
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
