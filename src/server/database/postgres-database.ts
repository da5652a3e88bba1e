import pg from 'pg';
import { checkedAddress } from '../../core/lib/postgres-url.ts';
import { connectDatabase, type OnFailure } from '../../run/state/postgres/connect.ts';
import type { DatabaseListener, StoreDatabase } from './store-database.ts';

/** For the jobs that run at the same time, the queue, and the requests of people. */
const mostConnections = 16;
/** The time until a lost connection for notifications is made again, in milliseconds. */
const reconnectMs = 1_000;
/** A pooler in transaction mode delivers no notification and reports nothing, so listeners look by themselves too. */
const lookEveryMs = 5_000;

/** The database at an address, with its own connection for notifications. It connects on first use. */
export function openPostgresDatabase(url: string, onFailure?: OnFailure): StoreDatabase {
  const database = connectDatabase(url, mostConnections, onFailure);
  const stops = new Set<() => Promise<void>>();
  return {
    ...database,
    notifier(channel, onWake) {
      const stop = listenAt(url)(channel, onWake);
      stops.add(stop);
      return () => {
        stops.delete(stop);
        return stop();
      };
    },
    async close() {
      await Promise.all([...stops].map((stop) => stop()));
      return database.close();
    },
  };
}

function listenAt(url: string): DatabaseListener {
  return (channel, onWake) => {
    let client: pg.Client | undefined;
    let retry: NodeJS.Timeout | undefined;
    let stopped = false;
    const again = (lost: pg.Client) => {
      if (client !== lost || stopped) return;
      client = undefined;
      retry = setTimeout(start, reconnectMs);
      retry.unref();
      lost.end().catch(() => {});
    };
    const start = () => {
      const next = new pg.Client({
        connectionString: checkedAddress(url),
        application_name: 'rampart listener',
        connectionTimeoutMillis: reconnectMs * 4,
        keepAlive: true,
      });
      client = next;
      next.on('error', () => again(next));
      next.on('notification', onWake);
      next
        .connect()
        .then(() => next.query(`listen ${pg.escapeIdentifier(channel)}`))
        // Notifications of the time without a connection are lost.
        .then(onWake)
        .catch(() => again(next));
    };
    const look = setInterval(onWake, lookEveryMs);
    look.unref();
    start();
    return async () => {
      stopped = true;
      clearInterval(look);
      clearTimeout(retry);
      return client?.end().catch(() => {});
    };
  };
}
