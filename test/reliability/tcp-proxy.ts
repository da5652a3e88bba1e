import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../given/loopback.ts';

/** A proxy to a port of this machine. A test can cut it like a network: nothing arrives, and neither side gets an error. */
export interface TcpProxy {
  readonly port: number;
  /** Bytes of existing connections are dropped forever, and those of new ones until `heal`. */
  cut(): void;
  /** New connections work again. */
  heal(): void;
}

export async function tcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let isCut = false;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => {
      if (!dead.has(from)) to.write(bytes);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      if (!dead.has(from)) to.destroy();
    });
  };
  const server = createServer((inbound) => {
    const outbound = connect(target, '127.0.0.1');
    pass(inbound, outbound);
    pass(outbound, inbound);
    if (isCut) for (const each of [inbound, outbound]) dead.add(each);
  });
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return {
    port,
    cut() {
      isCut = true;
      for (const socket of sockets) dead.add(socket);
    },
    heal() {
      isCut = false;
    },
  };
}
