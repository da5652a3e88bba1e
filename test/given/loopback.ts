import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** An address where nothing responds: no program can listen on port 0, while any other port may be in use. */
export const nobodyListens = 'http://127.0.0.1:0';

/** Listens on a free port of this machine until the test is over. Tests that run at the same time pass their own end. */
export async function listen(
  server: Server,
  whenFinished: (end: () => Promise<void>) => void = onTestFinished,
  host = '127.0.0.1',
): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: { destroy(): void; on(event: 'error', listener: () => void): void }) => {
      sockets.add(socket);
      socket.on('error', () => {});
    });
  }
  server.listen(0, host);
  await once(server, 'listening');
  whenFinished(async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}
