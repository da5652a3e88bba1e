import {
  type Dialect,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
} from 'kysely';
import pg from 'pg';
import { checkedAddress } from '../../../core/lib/postgres-url.ts';
import { isPassingFault } from './database-problem.ts';

/**
 * The time limit for a connection, and for a statement that depends on a lease, in milliseconds: it allows two attempts
 * at a renewal.
 */
const patienceMs = 3_000;
/** The time limit for other statements, such as those of a migration. */
const statementMs = 60_000;
/** How long an unused connection is kept, in milliseconds. */
const idleMs = 10_000;
/** One for the lease, one for the journal, two for other concurrent statements. */
const mostConnections = 4;

/** Called with the error of each statement that fails. */
export type OnFailure = (error: unknown) => void;

export interface Database {
  readonly db: Kysely<unknown>;
  /** Without secrets: `the database state on db.example.com:5432`. */
  readonly place: string;
  close(): Promise<void>;
}

/**
 * Connects on first use, with this many connections at most. Works with a pooler in transaction mode, because no
 * connection keeps session state.
 */
export function connectDatabase(url: string, connections = mostConnections, onFailure?: OnFailure): Database {
  const pool = new pg.Pool({
    connectionString: checkedAddress(url),
    application_name: 'rampart',
    max: connections,
    connectionTimeoutMillis: patienceMs,
    query_timeout: statementMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  // An unused connection that breaks is replaced; one in use fails its statement.
  const ignore = () => {};
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return open(new PostgresDialect({ pool: withoutBroken(pool) }), placeOf(new URL(url)), onFailure);
}

/**
 * A process that is frozen in the middle of a transaction must not keep others from the rows that it has locked: the
 * server ends the transaction. It holds for one transaction, so it works with a pooler.
 */
const boundedBegin = "begin; set local idle_in_transaction_session_timeout = '10s'";

/**
 * The same pool, but a connection is discarded if a statement on it had no response. The driver would use it again even
 * if the network has silently lost it.
 */
function withoutBroken(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      let broken = false;
      // Kysely can also query with cursors, which are not used here.
      const query: unknown = async (text: string, values: readonly unknown[]) => {
        try {
          const query_timeout = text.includes('rampart.lease') ? patienceMs : statementMs;
          const sent = text === 'begin' ? boundedBegin : text;
          return await client.query(Object.assign({ text: sent, values: [...values] }, { query_timeout }));
        } catch (error) {
          broken ||= isPassingFault(error);
          throw error;
        }
      };
      return {
        query: query as PostgresPoolClient['query'],
        release: () => client.release(broken),
      };
    },
  };
}

/** Without the user and the parts that may contain a secret. */
function placeOf({ hostname, port, pathname, searchParams }: URL): string {
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname);
  return `the database ${pathname.slice(1)} on ${host}:${port === '' ? '5432' : port}`;
}

/** The same with another PostgreSQL driver, such as PGlite. */
export function open(dialect: Dialect, place: string, onFailure?: OnFailure): Database {
  const db = new Kysely<unknown>({
    dialect: withStorableText(dialect),
    ...(onFailure && { log: (event) => (event.level === 'error' ? onFailure(event.error) : undefined) }),
  });
  let closed: Promise<void> | undefined;
  return { db, place, close: () => (closed ??= db.destroy()) };
}

/**
 * The same dialect, for texts of people and services: they may hold a NUL, which PostgreSQL refuses in every statement. It
 * becomes U+FFFD.
 */
function withStorableText(dialect: Dialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => new StorableTextCompiler(),
  };
}

class StorableTextCompiler extends PostgresQueryCompiler {
  protected override addParameter(parameter: unknown): void {
    super.addParameter(storable(parameter));
  }
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return Array.isArray(value) ? value.map(storable) : value;
}
