import { z } from 'zod';
import { ok } from '../core/problem/problem.ts';
import type { CodeForge, Comments, ForgeResult, Issues, Labels, ShownStatus } from './forge.ts';
import {
  createForgeClient,
  type ForgeClient,
  type ForgePlace,
  type ForgeReply,
  type ForgeTransport,
  issueWriter,
  rootOf,
} from './forge-client.ts';
import { hasIssueMarker, issueMarkdown } from './issue-markdown.ts';

/** In characters, well below the limit of a description. */
const issueLimit = 500_000;

/** Version 4 of GitLab's API. The project is its number or its path. */
export function createGitlab({ api, project, token }: ForgePlace, transport: ForgeTransport): CodeForge {
  const headers = { 'private-token': token };
  const client = createForgeClient(transport, { forge: 'GitLab', headers, root: rootOf(api) });
  const path = `/projects/${encodeURIComponent(project)}`;

  const author = async (): Promise<ForgeResult<string>> => {
    const found = await client.read(
      { failure: 'GitLab did not return the user of the token', path: '/user' },
      { what: 'the user of the token', shape: user },
    );
    return found.ok ? ok(found.value.username) : found;
  };

  return {
    readRepository: () => client.write({ failure: "the project can't be read", path }),
    commentsOn: (pull) => notesOf(client, { notes: `${path}/merge_requests/${pull}/notes`, author }),
    labelsOn: (pull) => labelsOf(client, `${path}/merge_requests/${pull}`),
    issues: (key) => issuesOf(client, { issues: `${path}/issues`, key, author }),

    async openPull({ branch, into, base, title, body, files }) {
      const made = await client.write({
        failure: "the branch can't be written",
        path: `${path}/repository/commits`,
        body: {
          branch,
          start_sha: base,
          commit_message: title,
          actions: files.map((file) => ({ action: 'update', file_path: file.path, content: file.text })),
        },
      });
      if (!made.ok) return made;
      const opened = await client.read(
        {
          failure: "the merge request can't be opened",
          path: `${path}/merge_requests`,
          body: {
            source_branch: branch,
            target_branch: into,
            title,
            description: body,
            remove_source_branch: true,
          },
        },
        { what: 'the merge request', shape: openedShape },
      );
      return opened.ok ? ok({ number: opened.value.iid, page: opened.value.web_url }) : opened;
    },

    async mergedPulls(commit) {
      const failure = "the merge request of this commit can't be found";
      const listed = await client.list(
        { failure, path: `${path}/repository/commits/${commit}/merge_requests` },
        { what: 'merge requests', shape: pullsShape },
      );
      if (!listed.ok) return listed;
      return ok(
        listed.value.flatMap(({ iid: number, web_url: page, merged_at: mergedAt, ...commits }) => {
          // A squashed commit and a fast-forward merge have keys of their own.
          const isExact = [commits.merge_commit_sha, commits.squash_commit_sha, commits.sha].includes(commit);
          return mergedAt === null ? [] : [{ number, page, mergedAt: Date.parse(mergedAt), isExact }];
        }),
      );
    },
    setStatus: (commit, status) =>
      client.write({
        failure: "the status of the commit can't be written",
        path: `${path}/statuses/${commit}`,
        body: toStatus(status),
        isDone: hasState,
      }),
  };
}

/** GitLab refuses to give a commit the state that it has. It then keeps the first description of the state. */
function hasState({ status, body }: ForgeReply): boolean {
  return status === 400 && /cannot transition status/i.test(JSON.stringify(body));
}

interface WithAuthor {
  readonly author: () => Promise<ForgeResult<string>>;
}

function notesOf(client: ForgeClient, { notes, author }: WithAuthor & { readonly notes: string }): Comments {
  return {
    author,
    async list() {
      const listed = await client.list(
        { failure: "the notes can't be read", path: notes, query: { sort: 'asc', order_by: 'created_at' } },
        { what: 'notes', shape: notesShape },
      );
      if (!listed.ok) return listed;
      return ok(
        listed.value.map(({ id, author: by, body }) => ({
          id: String(id),
          author: by?.username ?? null,
          body,
        })),
      );
    },
    async create(body) {
      const made = await client.read(
        { failure: "the note can't be written", path: notes, body: { body } },
        { what: 'the note', shape: createdShape },
      );
      return made.ok ? ok(String(made.value.id)) : made;
    },
    update: (id, body) =>
      client.write({
        failure: "the note can't be changed",
        method: 'PUT',
        path: `${notes}/${id}`,
        body: { body },
      }),
    remove: (id) =>
      client.write({ failure: "the old note can't be removed", method: 'DELETE', path: `${notes}/${id}` }),
  };
}

/** GitLab creates labels that do not exist. */
function labelsOf(client: ForgeClient, path: string): Labels {
  return {
    async list() {
      const read = await client.read(
        { failure: "the labels of the merge request can't be read", path },
        { what: 'the labels of the merge request', shape: labelsShape },
      );
      return read.ok ? ok(read.value.labels) : read;
    },
    change: ({ add, remove }) =>
      client.write({
        failure: "the labels of the merge request can't be changed",
        method: 'PUT',
        path,
        body: {
          ...(add !== null && { add_labels: add.name }),
          ...(remove.length > 0 && { remove_labels: remove.join(',') }),
        },
      }),
  };
}

function issuesOf(
  client: ForgeClient,
  { issues, key, author }: WithAuthor & { readonly issues: string; readonly key: string },
): Issues {
  return {
    async listOpen() {
      const own = await author();
      if (!own.ok) return own;
      const listed = await client.list(
        {
          failure: "the issues can't be read",
          path: issues,
          query: { scope: 'created_by_me', state: 'opened', order_by: 'created_at', sort: 'asc' },
        },
        { what: 'issues', shape: issuesShape },
      );
      if (!listed.ok) return listed;
      const ours = listed.value.filter(
        ({ author: by, description: text }) => by?.username === own.value && hasIssueMarker(text ?? '', key),
      );
      return ok(ours.map(({ iid }) => String(iid)));
    },
    ...issueWriter(client, {
      issues,
      change: 'PUT',
      textOf: (content) => ({ description: issueMarkdown(key, content, issueLimit) }),
      closed: { state_event: 'close' },
    }),
  };
}

const states: Readonly<Record<ShownStatus['state'], string>> = {
  pending: 'pending',
  running: 'running',
  success: 'success',
  failure: 'failed',
  error: 'failed',
};

function toStatus({ name, state, description, link }: ShownStatus): object {
  return { state: states[state], description, name, ...(link !== null && { target_url: link }) };
}

const id = z.int().positive();
const user = z.object({ username: z.string() });
const createdShape = z.object({ id });
const openedShape = z.object({ iid: id, web_url: z.string() });
const notesShape = z.array(z.object({ id, author: user.nullish(), body: z.string() }));
const labelsShape = z.object({ labels: z.array(z.string()) });
const issuesShape = z.array(z.object({ iid: id, description: z.string().nullish(), author: user.nullish() }));
const sha = z.string().nullish();
const pullsShape = z.array(
  z.object({
    iid: id,
    web_url: z.string(),
    merged_at: z.iso.datetime({ offset: true }).nullable().default(null),
    merge_commit_sha: sha,
    squash_commit_sha: sha,
    sha,
  }),
);
