import { createServer, type IncomingMessage } from 'node:http';
import { listen } from './loopback.ts';

export interface AssetReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type AssetAnswer = (url: URL, request: IncomingMessage) => AssetReply;

/** A small asset register on loopback. Returns its address, and the requests that it got. */
export async function assetServer(answer: AssetAnswer) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://register');
    asked.push(`${request.method} ${url.pathname}${url.search}`);
    const { status = 200, headers = {}, body = '' } = answer(url, request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}
