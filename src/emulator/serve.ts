import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Method } from '../contract/endpoint.ts';
import type { RequestMessage, ResponseMessage } from '../contract/message.ts';
import { refusal, toMessage } from './answer.ts';
import type { Emulator } from './emulator.ts';

export interface ServeOptions {
  /** Any free one when absent. */
  readonly port?: number;
  /** A larger request body gets 413; 64 MiB when absent. */
  readonly maxBodyBytes?: number;
}

export interface Served {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Breaks off what is still under way. */
  close(): Promise<void>;
}

const defaultMaxBodyBytes = 64 * 1024 ** 2;

/** The emulator behind a socket on 127.0.0.1. Rejects where the port is taken. */
export async function serve(
  emulator: Pick<Emulator, 'exchange'>,
  options: ServeOptions = {},
): Promise<Served> {
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes;
  const server = createServer((incoming, outgoing) => {
    // No reply from the emulator, or a caller who has gone: either way the connection is over.
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
  emulator: Pick<Emulator, 'exchange'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  maxBodyBytes: number,
): Promise<void> {
  const body = await readText(incoming, maxBodyBytes);
  if (body === undefined) {
    outgoing.setHeader('connection', 'close');
    send(outgoing, toMessage(refusal(413, 'The request is too large.')));
    return;
  }
  send(outgoing, await emulator.exchange(toRequest(incoming, body)));
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
    // Any other method finds no action.
    method: (incoming.method ?? '') as Method,
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers),
    body: body === '' ? null : body,
  };
}

function send(outgoing: ServerResponse, message: ResponseMessage): void {
  outgoing.writeHead(message.status, {
    ...message.headers,
    ...(message.status === 204 ? {} : { 'content-length': message.body.length }),
  });
  outgoing.end(message.body);
}
