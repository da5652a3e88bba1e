import { createServer, type IncomingMessage } from 'node:http';
import { listen } from './loopback.ts';

export interface StoredComment {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  body: string;
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

/** What GitHub's API does with the comments of one pull request, on this machine. */
export interface GithubStandIn {
  readonly url: string;
  readonly comments: StoredComment[];
  readonly requests: SeenRequest[];
  /** Commits and the pull requests that belong to them, as GitHub shows those. */
  readonly pulls: Map<string, readonly object[]>;
  /** Looked at before each request is answered. */
  fault: (request: SeenRequest) => FaultyAnswer | undefined;
  /** What it is called that has the token. */
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
  const standIn: GithubStandIn = {
    url,
    comments: [],
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
    if (commit !== undefined) return { status: 200, body: standIn.pulls.get(commit) ?? [] };
    const text = () => (JSON.parse(body) as { readonly body: string }).body;
    if (/^\/repos\/acme\/fleet\/issues\/\d+\/comments$/.test(path)) {
      if (method === 'GET') return page(query, comments, url + path);
      if (text().length > 65_536) return { status: 422, body: tooLong };
      const made = { id: nextId++, user: { login: standIn.viewer }, body: text() };
      comments.push(made);
      return { status: 201, body: made };
    }
    const id = Number(/^\/repos\/acme\/fleet\/issues\/comments\/(\d+)$/.exec(path)?.[1]);
    const index = comments.findIndex((each) => each.id === id);
    const found = comments[index];
    if (found === undefined) return { status: 404, body: { message: 'Not Found' } };
    if (method === 'DELETE') {
      comments.splice(index, 1);
      return { status: 204 };
    }
    found.body = text();
    return { status: 200, body: found };
  }
}

const tooLong = {
  message: 'Validation Failed',
  errors: [{ message: 'body is too long (maximum is 65536 characters)' }],
};

function page(query: URLSearchParams, all: readonly StoredComment[], url: string): FaultyAnswer {
  const size = Number(query.get('per_page') ?? 30);
  const number = Number(query.get('page') ?? 1);
  const more = number * size < all.length;
  return {
    status: 200,
    headers: more ? { link: `<${url}?per_page=${size}&page=${number + 1}>; rel="next"` } : {},
    body: all.slice((number - 1) * size, number * size),
  };
}
