import { createServer, type IncomingMessage } from 'node:http';
import { listen } from './loopback.ts';

export interface StoredComment {
  readonly id: number;
  readonly user: { readonly login: string; readonly type?: string } | null;
  body: string;
  readonly created_at?: string;
  updated_at?: string;
}

export interface StoredIssue {
  readonly number: number;
  readonly user: { readonly login: string };
  readonly title: string;
  body: string;
  state: 'open' | 'closed';
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string;
  readonly body: string;
}

export interface FaultyAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * What GitHub's API does with one repository that has one pull request, on this machine, as in `descriptions/` of
 * github/rest-api-description.
 */
export interface GithubStandIn {
  readonly url: string;
  readonly comments: StoredComment[];
  readonly requests: SeenRequest[];
  readonly issues: StoredIssue[];
  /** The labels of the repository, and of its pull request. */
  readonly knownLabels: string[];
  readonly labels: string[];
  /** Reactions to comments, as `id content`. */
  readonly reactions: string[];
  /** What people may do: `admin`, `write` or `read`. Others are no collaborators. */
  readonly permissions: Map<string, string>;
  /** Pull request 12. */
  request: object;
  /** Writes a comment as this person. */
  say(login: string, body: string, type?: string): StoredComment;
  /** Commits and the pull requests that belong to them, as GitHub shows those. */
  readonly pulls: Map<string, readonly object[]>;
  /** Called before each request is answered. */
  fault: (request: SeenRequest) => FaultyAnswer | undefined;
  /** The login of the token's owner. */
  viewer: string;
}

export const botLogin = 'github-actions[bot]';

export async function githubStandIn(): Promise<GithubStandIn> {
  const server = createServer((request, response) => {
    void answer(request).then(({ status, headers = {}, body }) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  let nextId = 1000;
  let minutes = 0;
  // Each write happens a minute later.
  const now = () => new Date(Date.parse('2026-11-21T09:00:00Z') + 60_000 * minutes++).toISOString();
  const write = (login: string, body: string, type: string): StoredComment => {
    const at = now();
    const made = { id: nextId++, user: { login, type }, body, created_at: at, updated_at: at };
    standIn.comments.push(made);
    return made;
  };
  const standIn: GithubStandIn = {
    url,
    comments: [],
    issues: [],
    knownLabels: [],
    labels: [],
    reactions: [],
    permissions: new Map(),
    request: {},
    say: (login, body, type = 'User') => write(login, body, type),
    requests: [],
    pulls: new Map(),
    fault: () => undefined,
    viewer: botLogin,
  };
  return standIn;

  async function answer(request: IncomingMessage): Promise<FaultyAnswer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const seen: SeenRequest = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      authorization: request.headers.authorization ?? '',
      body: Buffer.concat(chunks).toString(),
    };
    standIn.requests.push(seen);
    return standIn.fault(seen) ?? (await serve(seen));
  }

  async function serve({ method, path, query, body }: SeenRequest): Promise<FaultyAnswer> {
    const { comments } = standIn;
    if (path === '/graphql') return { status: 200, body: { data: { viewer: { login: standIn.viewer } } } };
    const commit = /^\/repos\/acme\/fleet\/commits\/(\w+)\/pulls$/.exec(path)?.[1];
    if (commit !== undefined) {
      const pulls = standIn.pulls.get(commit) ?? [];
      return { status: 200, body: pulls.map((each) => ({ html_url: `${url}/acme/fleet/pull/12`, ...each })) };
    }
    const text = () => (JSON.parse(body) as { readonly body: string }).body;
    if (/^\/repos\/acme\/fleet\/issues\/\d+\/comments$/.test(path)) {
      if (method === 'GET') return page(query, comments, url + path);
      if (text().length > 65_536) return { status: 422, body: tooLong };
      return { status: 201, body: write(standIn.viewer, text(), 'Bot') };
    }
    const reacted = /^\/repos\/acme\/fleet\/issues\/comments\/(\d+)\/reactions$/.exec(path)?.[1];
    if (reacted !== undefined) {
      standIn.reactions.push(`${reacted} ${(JSON.parse(body) as { readonly content: string }).content}`);
      return { status: 201, body: {} };
    }
    const login = /^\/repos\/acme\/fleet\/collaborators\/([^/]+)\/permission$/.exec(path)?.[1];
    if (login !== undefined) {
      const permission = standIn.permissions.get(decodeURIComponent(login));
      return permission === undefined
        ? { status: 404, body: { message: 'Not Found' } }
        : { status: 200, body: { permission } };
    }
    if (path === '/repos/acme/fleet/pulls/12') return { status: 200, body: standIn.request };
    const known = /^\/repos\/acme\/fleet\/labels(?:\/(.+))?$/.exec(path);
    if (known !== null) return serveKnownLabel(method, known[1], body);
    const labeled = /^\/repos\/acme\/fleet\/issues\/\d+\/labels(?:\/(.+))?$/.exec(path);
    if (labeled !== null) return serveLabels(method, labeled[1], body);
    if (path.startsWith('/repos/acme/fleet/issues') && !path.includes('/comments'))
      return serveIssue(method, path, query, body);
    const id = Number(/^\/repos\/acme\/fleet\/issues\/comments\/(\d+)$/.exec(path)?.[1]);
    const index = comments.findIndex((each) => each.id === id);
    const found = comments[index];
    if (found === undefined) return { status: 404, body: { message: 'Not Found' } };
    if (method === 'DELETE') {
      comments.splice(index, 1);
      return { status: 204 };
    }
    if (method === 'GET') return { status: 200, body: found };
    found.body = text();
    found.updated_at = now();
    return { status: 200, body: found };
  }

  function serveKnownLabel(method: string, name: string | undefined, body: string): FaultyAnswer {
    const { knownLabels } = standIn;
    if (method === 'GET') {
      const found = knownLabels.find((each) => isSameLabel(each, decodeURIComponent(name ?? '')));
      return found === undefined
        ? { status: 404, body: { message: 'Not Found' } }
        : { status: 200, body: { name: found } };
    }
    const made = JSON.parse(body) as { readonly name: string };
    if (knownLabels.some((each) => isSameLabel(each, made.name)))
      return { status: 422, body: { message: 'Validation Failed', errors: [{ code: 'already_exists' }] } };
    knownLabels.push(made.name);
    return { status: 201, body: made };
  }

  /** A token without the right to write issues can't create a label by adding it. */
  function serveLabels(method: string, name: string | undefined, body: string): FaultyAnswer {
    const { knownLabels, labels } = standIn;
    if (method === 'POST') {
      for (const each of (JSON.parse(body) as { readonly labels: readonly string[] }).labels) {
        const found = knownLabels.find((one) => isSameLabel(one, each));
        if (found === undefined) return { status: 403, body: { message: 'You may not create labels' } };
        if (!labels.includes(found)) labels.push(found);
      }
    }
    if (method === 'DELETE') {
      const index = labels.findIndex((each) => isSameLabel(each, decodeURIComponent(name ?? '')));
      if (index < 0) return { status: 404, body: { message: 'Label does not exist' } };
      labels.splice(index, 1);
    }
    return { status: 200, body: labels.map((each) => ({ name: each })) };
  }

  function serveIssue(method: string, path: string, query: URLSearchParams, body: string): FaultyAnswer {
    const { issues } = standIn;
    if (method === 'GET') {
      const open = issues.filter(({ state }) => state === query.get('state'));
      return page(query, open, url + path);
    }
    const sent = JSON.parse(body) as {
      readonly title?: string;
      readonly body: string;
      readonly state?: 'closed';
    };
    const number = Number(/\/(\d+)$/.exec(path)?.[1]);
    const found = issues.find((each) => each.number === number);
    if (found === undefined) {
      const made = {
        number: nextId++,
        user: { login: standIn.viewer },
        title: sent.title ?? '',
        body: sent.body,
      };
      issues.push({ ...made, state: 'open' });
      return { status: 201, body: made };
    }
    found.body = sent.body;
    found.state = sent.state ?? found.state;
    return { status: 200, body: found };
  }
}

function isSameLabel(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

const tooLong = {
  message: 'Validation Failed',
  errors: [{ message: 'body is too long (maximum is 65536 characters)' }],
};

function page(query: URLSearchParams, all: readonly object[], url: string): FaultyAnswer {
  const size = Number(query.get('per_page') ?? 30);
  const number = Number(query.get('page') ?? 1);
  const more = number * size < all.length;
  return {
    status: 200,
    headers: more ? { link: `<${url}?per_page=${size}&page=${number + 1}>; rel="next"` } : {},
    body: all.slice((number - 1) * size, number * size),
  };
}
