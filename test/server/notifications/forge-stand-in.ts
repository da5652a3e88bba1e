import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../given/loopback.ts';

/** The statuses and comments of one repository, as GitHub and GitLab keep them, on this machine. */
export interface ForgeStandIn {
  /** The address of the API. */
  readonly api: string;
  /** Oldest first. */
  readonly statuses: { readonly commit: string; readonly body: Readonly<Record<string, string>> }[];
  readonly comments: Map<number, string>;
  /** The pull requests of every commit, in the words of the forge. */
  pulls: readonly unknown[];
  readonly requests: { readonly line: string; readonly secret: string }[];
  /** Answers a request in place of the forge if it returns true. */
  intercept: (line: string, response: ServerResponse, body: string) => boolean;
  /** Does what the next request wants, and breaks its connection. */
  losesReply: boolean;
}

export const repository = 'acme/fleet';

export async function startForge(
  kind: 'github' | 'gitlab',
  whenOver?: Parameters<typeof listen>[1],
): Promise<ForgeStandIn> {
  const server = createServer((request, response) => void answer(request, response));
  const api = `http://127.0.0.1:${await listen(server, whenOver)}/api`;
  let nextId = 70;
  const forge: ForgeStandIn = {
    api,
    statuses: [],
    comments: new Map(),
    pulls: [],
    requests: [],
    intercept: () => false,
    losesReply: false,
  };
  const paths =
    kind === 'github'
      ? {
          status: /^\/api\/repos\/acme\/fleet\/statuses\/(\w+)$/,
          pulls: /^\/api\/repos\/acme\/fleet\/commits\/\w+\/pulls$/,
          comments: /^\/api\/repos\/acme\/fleet\/issues\/7\/comments$/,
          comment: /^\/api\/repos\/acme\/fleet\/issues\/comments\/(\d+)$/,
        }
      : {
          status: /^\/api\/projects\/acme%2Ffleet\/statuses\/(\w+)$/,
          pulls: /^\/api\/projects\/acme%2Ffleet\/repository\/commits\/\w+\/merge_requests$/,
          comments: /^\/api\/projects\/acme%2Ffleet\/merge_requests\/7\/notes$/,
          comment: /^\/api\/projects\/acme%2Ffleet\/merge_requests\/7\/notes\/(\d+)$/,
        };
  const author = kind === 'github' ? { user: { login: 'rampart' } } : { author: { username: 'rampart' } };
  return forge;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '', api);
    const line = `${request.method} ${pathname}`;
    const { authorization, 'private-token': own } = request.headers;
    forge.requests.push({ line, secret: String(kind === 'github' ? authorization : own) });
    const reply = (status: number, body: unknown) => {
      if (forge.losesReply) {
        forge.losesReply = false;
        response.destroy();
        return;
      }
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const text = Buffer.concat(chunks).toString();
    if (forge.intercept(line, response, text)) return;
    const body = (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, string>>;
    const commit = paths.status.exec(pathname)?.[1];
    if (commit !== undefined) {
      const last = forge.statuses.findLast((each) => each.commit === commit)?.body['state'];
      if (kind === 'gitlab' && last === body['state'] && (last === 'pending' || last === 'running'))
        return reply(400, { message: `Cannot transition status via :run from :${last}` });
      forge.statuses.push({ commit, body });
      return reply(201, { id: 1 });
    }
    if (paths.pulls.test(pathname)) return reply(200, forge.pulls);
    if (paths.comments.test(pathname)) {
      if (request.method === 'GET')
        return reply(
          200,
          [...forge.comments].map(([id, words]) => ({ id, body: words, ...author })),
        );
      const id = (nextId += 1);
      forge.comments.set(id, body['body'] ?? '');
      return reply(201, { id });
    }
    const id = Number(paths.comment.exec(pathname)?.[1]);
    if (!forge.comments.has(id)) return reply(404, { message: 'Not Found' });
    forge.comments.set(id, body['body'] ?? '');
    reply(200, { id });
  }
}
