import { createServer, type IncomingMessage } from 'node:http';
import { listen } from './loopback.ts';

export interface StoredNote {
  readonly id: number;
  readonly author: { readonly username: string };
  body: string;
}

export interface StoredGitlabIssue {
  readonly iid: number;
  readonly author: { readonly username: string };
  readonly title: string;
  description: string;
  state: 'opened' | 'closed';
}

export interface GitlabStandIn {
  /** What a pipeline of a merge request has in its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly notes: StoredNote[];
  /** The commits that the merge of the merge request made. */
  readonly mergeCommits: string[];
  readonly issues: StoredGitlabIssue[];
  /** Of the merge request. */
  readonly labels: string[];
  readonly requests: { readonly method: string; readonly path: string; readonly token: string }[];
  /** Called before each request is answered. */
  fault: (method: string, path: string) => { readonly status: number; readonly body?: object } | undefined;
}

export const gitlabToken = `glpat-${'q7R'.repeat(8)}`;
const me = 'project_5_bot_a1b2c3';

/**
 * What GitLab's API does with the issues of a project, and the notes and labels of one merge request, on this machine.
 * The parameters, members and headers are those of the documentation in `doc/api` of gitlab-org/gitlab:
 * - `notes.md`: `sort`, `order_by`, `body`
 * - `issues.md`: `scope=created_by_me`, `state=opened`, `order_by`, `sort`; `title`, `description`, `state_event=close`
 * - `merge_requests.md`: `labels`; `add_labels` and `remove_labels`, both separated by commas
 * - `rest/_index.md`: `page`, `per_page`, `x-next-page`, which is empty on the last page
 * - `commits.md`: the merge requests of a commit, with `merged_at` and `merge_commit_sha`
 * - `users.md`: `username` of the owner of the token
 */
export async function gitlabStandIn(): Promise<GitlabStandIn> {
  const server = createServer((request, response) => {
    void answer(request).then(({ status, headers = {}, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  const port = await listen(server);
  let nextId = 900;
  const standIn: GitlabStandIn = {
    env: {
      GITLAB_CI: 'true',
      CI_PIPELINE_SOURCE: 'merge_request_event',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '5',
      CI_API_V4_URL: `http://127.0.0.1:${port}/api/v4`,
      CI_PROJECT_ID: '5',
      CI_MERGE_REQUEST_PROJECT_ID: '5',
      CI_MERGE_REQUEST_IID: '12',
      CI_JOB_URL: 'https://gitlab.example.com/acme/fleet/-/jobs/77',
      RAMPART_GITLAB_TOKEN: gitlabToken,
    },
    notes: [],
    mergeCommits: [],
    issues: [],
    labels: [],
    requests: [],
    fault: () => undefined,
  };
  return standIn;

  async function answer(request: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const method = request.method ?? '';
    const token = String(request.headers['private-token']);
    standIn.requests.push({ method, path: pathname, token });
    const fault = standIn.fault(method, pathname);
    if (fault !== undefined) return fault;
    if (token !== gitlabToken) return { status: 401, body: { message: '401 Unauthorized' } };
    if (pathname === '/api/v4/user') return { status: 200, body: { username: me } };
    const [, commit] =
      /^\/api\/v4\/projects\/5\/repository\/commits\/(\w+)\/merge_requests$/.exec(pathname) ?? [];
    if (commit !== undefined) return page(searchParams, mergeRequestsOf(commit));
    if (pathname.startsWith('/api/v4/projects/5/issues'))
      return serveIssue(method, pathname, searchParams, Buffer.concat(chunks).toString());
    if (pathname === '/api/v4/projects/5/merge_requests/12')
      return serveMergeRequest(method, Buffer.concat(chunks).toString());
    const [, id] = /^\/api\/v4\/projects\/5\/merge_requests\/12\/notes(?:\/(\d+))?$/.exec(pathname) ?? [];
    const text = () => (JSON.parse(Buffer.concat(chunks).toString()) as { readonly body: string }).body;
    if (method === 'GET') return page(searchParams, standIn.notes);
    if (method === 'POST') {
      const made = { id: nextId++, author: { username: me }, body: text() };
      standIn.notes.push(made);
      return { status: 201, body: made };
    }
    const index = standIn.notes.findIndex((note) => note.id === Number(id));
    const found = standIn.notes[index];
    if (found === undefined) return { status: 404, body: { message: '404 Not found' } };
    if (method === 'DELETE') {
      standIn.notes.splice(index, 1);
      return { status: 204 };
    }
    found.body = text();
    return { status: 200, body: found };
  }

  function mergeRequestsOf(commit: string): readonly object[] {
    if (!standIn.mergeCommits.includes(commit)) return [];
    const web_url = 'https://gitlab.example.com/acme/fleet/-/merge_requests/12';
    return [{ iid: 12, web_url, merged_at: '2026-11-21T08:00:00.000Z', merge_commit_sha: commit, sha: null }];
  }

  function serveMergeRequest(method: string, body: string): Answer {
    const { labels } = standIn;
    if (method === 'PUT') {
      const { add_labels: add = '', remove_labels: remove = '' } = JSON.parse(body) as {
        readonly add_labels?: string;
        readonly remove_labels?: string;
      };
      const left = labels.filter((each) => !remove.split(',').includes(each));
      labels.splice(0, labels.length, ...new Set([...left, ...add.split(',').filter((each) => each !== '')]));
    }
    return { status: 200, body: { iid: 12, labels } };
  }

  function serveIssue(method: string, path: string, query: URLSearchParams, body: string): Answer {
    const { issues } = standIn;
    if (method === 'GET') {
      const isMine = query.get('scope') === 'created_by_me';
      const open = issues.filter(
        ({ state, author }) => state === query.get('state') && (!isMine || author.username === me),
      );
      return page(query, open);
    }
    const sent = JSON.parse(body) as {
      readonly title?: string;
      readonly description: string;
      readonly state_event?: 'close';
    };
    if (method === 'POST') {
      const made: StoredGitlabIssue = {
        iid: issues.length + 1,
        author: { username: me },
        title: sent.title ?? '',
        description: sent.description,
        state: 'opened',
      };
      issues.push(made);
      return { status: 201, body: made };
    }
    const found = issues.find(({ iid }) => path.endsWith(`/issues/${iid}`));
    if (found === undefined) return { status: 404, body: { message: '404 Not found' } };
    found.description = sent.description;
    if (sent.state_event === 'close') found.state = 'closed';
    return { status: 200, body: found };
  }
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

function page(query: URLSearchParams, all: readonly object[]): Answer {
  const size = Number(query.get('per_page') ?? 20);
  const number = Number(query.get('page') ?? 1);
  const next = number * size < all.length ? String(number + 1) : '';
  return {
    status: 200,
    headers: { 'x-next-page': next },
    body: all.slice((number - 1) * size, number * size),
  };
}
