import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** How long a connection or a statement may take, in milliseconds. */
const patienceMs = 10_000;
/** One for the lease, one for the journal, two for what else is asked at the same moment. */
const mostConnections = 4;

export interface Database {
  readonly db: Kysely<Tables>;
  /** Without anything secret: `the database state on db.example.com:5432`. */
  readonly place: string;
  close(): Promise<void>;
}

/** Connects when it is first asked. Works behind a pooler in transaction mode: no connection holds a state. */
export function connect(url: string): Database {
  const pool = new pg.Pool({
    connectionString: withCheckedCertificate(url),
    application_name: 'rampart',
    max: mostConnections,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    idleTimeoutMillis: patienceMs,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  // A connection that breaks while nobody uses it is replaced; one in use fails its statement.
  const ignore = () => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return open(new PostgresDialect({ pool }), placeOf(new URL(url)));
}

/** The driver checks the certificate in all of these modes, and warns that it does. */
function withCheckedCertificate(given: string): string {
  const url = new URL(given);
  if (/^(?:prefer|require|verify-ca)$/.test(url.searchParams.get('sslmode') ?? ''))
    url.searchParams.set('sslmode', 'verify-full');
  return url.href;
}

/** Neither the user nor what may hold a secret. */
function placeOf({ hostname, port, pathname, searchParams }: URL): string {
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname);
  return `the database ${pathname.slice(1)} on ${host}:${port === '' ? '5432' : port}`;
}

/** The same on another driver of PostgreSQL, such as PGlite. */
export function open(dialect: Dialect, place: string): Database {
  const db = new Kysely<Tables>({ dialect });
  let closed: Promise<void> | undefined;
  return { db, place, close: () => (closed ??= db.destroy()) };
}
