import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'vitest';
import type { Method } from '../../src/service/contract/endpoint.ts';
import type { Emulator } from '../../src/service/emulator/emulator.ts';
import type { Served } from '../../src/service/emulator/serve.ts';
import { listen } from './loopback.ts';

/** Whether the response to this request never ends, and how often that happened. */
export interface Dripping {
  isDripping: (method: string, path: string) => boolean;
  drips: number;
}

/**
 * The emulator behind a real socket. An endless response has a head, and then a blank every few milliseconds forever.
 */
export async function serveDripping(
  emulator: Pick<Emulator, 'exchange'>,
  state: Dripping,
  whenFinished?: TestContext['onTestFinished'],
): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET', url = '/' } = incoming;
    const body = await text(incoming);
    const reply = await emulator.exchange({
      method: method as Method,
      path: url,
      headers: incoming.headers as Readonly<Record<string, string>>,
      body: body === '' ? null : body,
    });
    if (!state.isDripping(method, url)) {
      outgoing.writeHead(reply.status, { ...reply.headers });
      outgoing.end(reply.body);
      return;
    }
    state.drips += 1;
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => outgoing.write(' '), 20);
    outgoing.on('close', () => clearInterval(timer));
  };
  const port = await listen(server, whenFinished);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: async () => server.closeAllConnections(),
  };
}
