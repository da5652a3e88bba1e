import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Method } from '../contract/endpoint.ts';
import type { RequestMessage } from '../contract/message.ts';
import { type EmulatedAnswer, refusal, toMessage, withMembers } from './answer.ts';
import { errorMembers } from './connection-errors.ts';
import type { PacedResponse } from './drip.ts';
import type { Emulator } from './emulator.ts';

export interface ServeOptions {
  /** A free port if absent. */
  readonly port?: number;
  /** A larger request body gets 413; 64 MiB if absent. */
  readonly maxBodyBytes?: number;
}

export interface Served {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Aborts all requests in progress. */
  close(): Promise<void>;
}

const defaultMaxBodyBytes = 64 * 1024 ** 2;

/** A service that a socket can serve: an emulator, or several accounts of one service. */
export type Servable = Pick<Emulator, 'respond'>;

/** Serves the emulator on a socket on 127.0.0.1. Rejects if the port is in use. */
export async function serve(emulator: Servable, options: ServeOptions = {}): Promise<Served> {
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
  const server = createServer((incoming, outgoing) => {
    // Either the emulator sent no response or the caller closed the connection: in both cases the connection ends.
    answer(emulator, incoming, outgoing, maxBodyBytes).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

async function answer(
  emulator: Servable,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  maxBodyBytes: number,
): Promise<void> {
  const body = await readText(incoming, maxBodyBytes);
  if (body === undefined) {
    outgoing.setHeader('connection', 'close');
    await send(outgoing, { message: toMessage(tooLarge(incoming.url ?? '')) });
    return;
  }
  await send(outgoing, await emulator.respond(toRequest(incoming, body)));
}

function tooLarge(path: string): EmulatedAnswer {
  return withMembers(refusal(413, 'The request is too large.'), errorMembers(path));
}

/** Undefined: too large. */
async function readText(incoming: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toRequest(incoming: IncomingMessage, body: string): RequestMessage {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    // An unknown method matches no action.
    method: (incoming.method ?? '') as Method,
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers),
    body: body === '' ? null : body,
  };
}

async function send(outgoing: ServerResponse, { message, pieces }: PacedResponse): Promise<void> {
  const { status, headers, body } = message;
  const hasLength = status !== 204 && pieces?.isEndless !== true;
  outgoing.writeHead(status, { ...(hasLength ? { 'content-length': body.length } : {}), ...headers });
  if (pieces === undefined) {
    outgoing.end(body);
    return;
  }
  outgoing.flushHeaders();
  for await (const piece of pieces.send(() => outgoing.destroyed)) outgoing.write(piece);
  outgoing.end();
}
