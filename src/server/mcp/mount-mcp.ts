import type { Context, Hono } from 'hono';
import { createClient } from '../../api/client/generated/rampart-client.ts';
import type { Clock } from '../../core/lib/surroundings.ts';

interface McpParts {
  readonly clock: Clock;
  readonly version: string;
}

const path = '/mcp';

/**
 * The Model Context Protocol for programs with a token. The tools call the API of this server with the token of the
 * caller, so they show what its roles allow, and their requests are limited and recorded like all others. Cookies do
 * not count here, so no page can make a person's browser send requests.
 */
export function mountMcp(app: Hono, { clock, version }: McpParts): void {
  app.post(path, async (context) => {
    const ask = asCaller(app, context);
    const caller = await ask('/api/v1/me');
    if (!caller.ok) return caller;
    const [{ answerOverHttp }, { serverTools }] = await Promise.all([
      import('../../mcp/answer-over-http.ts'),
      import('../../mcp/server-tools.ts'),
    ]);
    const client = createClient({ url: origin, token: '', fetch: (url, init) => ask(url as URL, init) });
    return answerOverHttp(context.req.raw, serverTools(client, clock), { version });
  });
}

/** The requests do not leave this process: only their path counts. */
const origin = 'http://localhost';

function asCaller(app: Hono, { req, env }: Context) {
  const authorization = req.header('authorization');
  return async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.delete('authorization');
    if (authorization !== undefined) headers.set('authorization', authorization);
    headers.set('host', 'localhost');
    headers.set('x-rampart-client', 'mcp');
    return app.fetch(new Request(new URL(address, origin), { ...init, headers }), env as object);
  };
}
