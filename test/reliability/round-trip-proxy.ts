import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from '../given/loopback.ts';

/** A proxy to a PostgreSQL server of this machine, which counts what goes through it. */
export interface RoundTripProxy {
  readonly port: number;
  readonly connections: number;
  /** How often a client sent something and then got a response, after its connection was set up. */
  readonly roundTrips: number;
}

/** The server ends the setup of a connection, and each response, with this message. */
const readyForQuery = 'Z'.charCodeAt(0);
/** A client ends with this message, which has no response. */
const terminate = 'X'.charCodeAt(0);

export async function roundTripProxy(target: number): Promise<RoundTripProxy> {
  const counts = { connections: 0, roundTrips: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    counts.connections += 1;
    const database = connect(target, '127.0.0.1');
    const messages = startMessages();
    let isSetUp = false;
    let isAsking = false;
    client.on('data', (bytes: Buffer) => {
      if (isSetUp && !isAsking && bytes[0] !== terminate) {
        isAsking = true;
        counts.roundTrips += 1;
      }
      database.write(bytes);
    });
    database.on('data', (bytes: Buffer) => {
      isAsking = false;
      isSetUp ||= messages(bytes).includes(readyForQuery);
      client.write(bytes);
    });
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return {
    port,
    get connections() {
      return counts.connections;
    },
    get roundTrips() {
      return counts.roundTrips;
    },
  };
}

/** The types of the messages that end in each piece: a type, the length of the rest in four bytes, and the rest. */
function startMessages(): (bytes: Buffer) => readonly number[] {
  let waiting = Buffer.alloc(0);
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    const types: number[] = [];
    while (waiting.length >= 5) {
      const length = 1 + waiting.readInt32BE(1);
      if (waiting.length < length) break;
      types.push(waiting.readUInt8(0));
      waiting = waiting.subarray(length);
    }
    return types;
  };
}
