import { z } from 'zod';
import { ok, type Result } from '../core/problem/problem.ts';
import type { CodeForge, Comments, ForgeResult, Issues, ShownStatus } from './forge.ts';
import {
  createForgeClient,
  type ForgeClient,
  type ForgePlace,
  type ForgeTransport,
  isRefusedAs,
  issueWriter,
  rootOf,
} from './forge-client.ts';
import { githubLabels } from './github-labels.ts';
import { openGithubPull } from './github-pull.ts';
import {
  commentShape,
  commentsShape,
  createdShape,
  issuesShape,
  pullsShape,
  requestShape,
  viewerShape,
} from './github-shapes.ts';
import { hasIssueMarker, issueMarkdown } from './issue-markdown.ts';

/** GitHub, with what commands in comments need. */
export interface Github extends CodeForge {
  /** Null if it was deleted. */
  comment(id: number): Promise<ForgeResult<WrittenComment | null>>;
  /** What this person may do in the repository: `admin`, `write`, `read` or `none`. */
  permissionOf(login: string): Promise<ForgeResult<string>>;
  pullRequest(number: number): Promise<ForgeResult<PullRequest>>;
  react(comment: number, reaction: '+1' | '-1' | 'eyes'): Promise<ForgeResult<null>>;
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

/** The usual author of comments by workflows, if GitHub does not report whose token it is. */
const usualAuthor = 'github-actions[bot]';
/** In characters. GitHub accepts as many as in a comment. */
const issueLimit = 60_000;

/** GitHub's REST API. The project is `owner/name`. */
export function createGithub({ api, project, token }: ForgePlace, transport: ForgeTransport): Github {
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` };
  const root = rootOf(api);
  const client = createForgeClient(transport, { forge: 'GitHub', headers, root });
  const repository = `/repos/${project}`;
  let author: string | undefined;

  /** A workflow's own token may not ask the REST API for its login, but GraphQL returns it. */
  async function authorOfToken(): Promise<Result<string>> {
    if (author === undefined) {
      const beside = { forge: 'GitHub', headers, root: root.replace(/\/v3$/, '') };
      const viewer = await createForgeClient({ ...transport, waits: false }, beside).read(
        {
          failure: "the owner of the token can't be read",
          path: '/graphql',
          body: { query: '{ viewer { login } }' },
        },
        { what: 'the owner of the token', shape: viewerShape },
      );
      author = viewer.ok ? viewer.value.data.viewer.login : usualAuthor;
    }
    return ok(author);
  }

  return {
    readRepository: () => client.write({ failure: "the repository can't be read", path: repository }),
    commentsOn: (pull) => commentsOn(client, { repository, pull, author: authorOfToken }),
    labelsOn: (pull) => githubLabels(client, { repository, pull }),
    issues: (key) => issuesOf(client, { repository, key, author: authorOfToken }),
    openPull: (pull) => openGithubPull(client, repository, pull),

    async mergedPulls(commit) {
      const pulls = await client.list(
        {
          failure: "the pull request of this commit can't be found",
          path: `${repository}/commits/${commit}/pulls`,
        },
        { what: 'pull requests', shape: pullsShape },
      );
      if (!pulls.ok) return pulls;
      return ok(
        pulls.value.flatMap(({ number, html_url: page, merged_at: mergedAt, merge_commit_sha: sha }) =>
          mergedAt === null
            ? []
            : [{ number, page, mergedAt: Date.parse(mergedAt), isExact: sha === commit }],
        ),
      );
    },
    setStatus: (commit, status) =>
      client.write({
        failure: "the status of the commit can't be written",
        path: `${repository}/statuses/${commit}`,
        body: toStatus(status),
      }),

    async comment(id) {
      const found = await client.read(
        {
          failure: "the comment can't be read",
          path: `${repository}/issues/comments/${id}`,
        },
        { what: 'a comment', shape: commentShape },
      );
      if (!found.ok) return isRefusedAs(found, 'not-found') ? ok(null) : found;
      const { body, user, created_at: createdAt, updated_at: changedAt } = found.value;
      return ok({ body, author: user.login, authorType: user.type, createdAt, changedAt });
    },
    async permissionOf(login) {
      const found = await client.read(
        {
          failure: "the permission of the author can't be read",
          path: `${repository}/collaborators/${encodeURIComponent(login)}/permission`,
        },
        { what: 'a permission', shape: z.object({ permission: z.string() }) },
      );
      if (!found.ok) return isRefusedAs(found, 'not-found') ? ok('none') : found;
      return ok(found.value.permission);
    },
    async pullRequest(number) {
      const found = await client.read(
        { failure: "the pull request can't be read", path: `${repository}/pulls/${number}` },
        { what: 'a pull request', shape: requestShape },
      );
      if (!found.ok) return found;
      const { state, head, base } = found.value;
      return ok({
        isOpen: state === 'open',
        head: head.sha,
        // The repository of a fork that was deleted is null.
        isFork: head.repo?.full_name !== base.repo.full_name,
        base: base.sha,
        into: base.ref,
      });
    },
    react: (comment, content) =>
      client.write({
        failure: "the reaction can't be written",
        path: `${repository}/issues/comments/${comment}/reactions`,
        body: { content },
        repeatable: true,
      }),
  };
}

interface InRepository {
  /** The path of the repository. */
  readonly repository: string;
  readonly author: () => Promise<Result<string>>;
}

function commentsOn(
  client: ForgeClient,
  { repository, pull, author }: InRepository & { readonly pull: number },
): Comments {
  const comments = `${repository}/issues/${pull}/comments`;
  const comment = (id: string) => `${repository}/issues/comments/${id}`;
  return {
    author,
    async list(since) {
      const listed = await client.list(
        {
          failure: "the comments can't be read",
          path: comments,
          query: since === undefined ? {} : { since: since.toISOString() },
        },
        { what: 'comments', shape: commentsShape },
      );
      if (!listed.ok) return listed;
      return ok(
        listed.value.map(({ id, user, body, updated_at: changedAt }) => ({
          id: String(id),
          author: user?.login ?? null,
          body: body ?? '',
          changedAt,
        })),
      );
    },
    async create(body) {
      const made = await client.read(
        { failure: "the comment can't be written", path: comments, body: { body } },
        { what: 'the comment', shape: createdShape },
      );
      return made.ok ? ok(String(made.value.id)) : made;
    },
    update: (id, body) =>
      client.write({
        failure: "the comment can't be changed",
        method: 'PATCH',
        path: comment(id),
        body: { body },
      }),
    remove: (id) =>
      client.write({ failure: "the old comment can't be removed", method: 'DELETE', path: comment(id) }),
  };
}

function issuesOf(
  client: ForgeClient,
  { repository, key, author }: InRepository & { readonly key: string },
): Issues {
  const issues = `${repository}/issues`;
  return {
    async listOpen() {
      const own = await author();
      if (!own.ok) return own;
      const listed = await client.list(
        {
          failure: "the issues can't be read",
          path: issues,
          query: { state: 'open', sort: 'created', direction: 'asc' },
        },
        { what: 'issues', shape: issuesShape },
      );
      if (!listed.ok) return listed;
      const ours = listed.value.filter(
        ({ user, pull_request: request, body: text }) =>
          user?.login === own.value && request === undefined && hasIssueMarker(text ?? '', key),
      );
      return ok(ours.map(({ number }) => String(number)));
    },
    ...issueWriter(client, {
      issues,
      change: 'PATCH',
      textOf: (content) => ({ body: issueMarkdown(key, content, issueLimit) }),
      closed: { state: 'closed', state_reason: 'completed' },
    }),
  };
}

function toStatus({ name, state, description, link }: ShownStatus): object {
  return {
    state: state === 'running' ? 'pending' : state,
    description,
    context: name,
    ...(link !== null && { target_url: link }),
  };
}
