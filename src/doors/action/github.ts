import { Octokit } from '@octokit/rest';
import type { Clock } from '../../core/lib/clock.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { Comments, PostedComment } from '../cli/comments/comments.ts';
import { callForge, type ForgeReply } from '../cli/comments/forge-call.ts';
import type { Environment } from '../cli/shell/io.ts';

/** The requests that the action sends to GitHub. */
export interface Github {
  commentsOn(pullRequest: number): Comments;
  /** The pull request whose merge made this commit; null if none did. */
  mergedPullRequest(commit: string): Promise<Result<number | null>>;
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
      async author() {
        author ??= await viewer(octokit);
        return ok(author);
      },
      async list() {
        const found: PostedComment[] = [];
        for (let page = 1; page <= mostPages; page += 1) {
          const listed = await callForge(
            {
              failure: "the comments can't be read",
              repeatable: true,
              send: () =>
                reply(
                  octokit.rest.issues.listComments({ ...here, issue_number: number, per_page: onPage, page }),
                ),
            },
            clock,
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
    async mergedPullRequest(commit) {
      const listed = await callForge(
        {
          failure: "the pull request of this commit can't be found",
          repeatable: true,
          send: () =>
            reply(
              octokit.rest.repos.listPullRequestsAssociatedWithCommit({
                ...here,
                commit_sha: commit,
                per_page: onPage,
              }),
            ),
        },
        clock,
      );
      if (!listed.ok) return listed;
      return Array.isArray(listed.value.body)
        ? ok(mergedBy(commit, listed.value.body))
        : failed(malformed('pull requests'));
    },
  });

  async function write(
    failure: string,
    repeatable: boolean,
    send: () => Promise<Answer>,
  ): Promise<Result<null>> {
    const done = await callForge({ failure, repeatable, send: () => reply(send()) }, clock);
    return done.ok ? ok(null) : done;
  }
}

interface Answer {
  readonly status: number;
  readonly headers: object;
  readonly data?: unknown;
}

/** An answer as a value, even if octokit throws it; rejects if none came. */
async function reply(answer: Promise<Answer>): Promise<ForgeReply> {
  try {
    return toReply(await answer);
  } catch (error) {
    const { response } = error as { readonly response?: Answer };
    if (response === undefined) throw error;
    return toReply(response);
  }
}

function toReply({ status, headers, data }: Answer): ForgeReply {
  return { status, headers: headers as ForgeReply['headers'], body: data };
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
    } = comment as {
      readonly id?: unknown;
      readonly user?: { readonly login?: unknown } | null;
      readonly body?: unknown;
    };
    const login = user?.login;
    if (!Number.isSafeInteger(id) || typeof login !== 'string') return [];
    return [{ id: String(id), author: login, body: typeof text === 'string' ? text : '' }];
  });
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
