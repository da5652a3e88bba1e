import { sql } from 'kysely';
import { toJson } from '../../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from '../../database/query.ts';

export interface SessionRecord {
  /** As api/access writes it. */
  readonly identity: unknown;
  readonly expiresAt: Date;
}

/**
 * How often the use of a session is written at most, in seconds, so that reading pages does not cause a write each time. It
 * is a small part of the idle time, which would otherwise end sessions that are in use.
 */
function seenEverySeconds(idleMs: number): number {
  return Math.min(60, idleMs / 10_000);
}

export function sessionsOn(db: StoreDb) {
  return {
    /** Ends after `lifeMs` at the latest. */
    async create(session: { hash: string; identity: unknown; lifeMs: number }): Promise<void> {
      await sql`
        insert into rampart_server.session (hash, identity, expires_at)
        values (${session.hash}, ${toJson(session.identity)}, ${after(session.lifeMs)})
      `.execute(db);
    },

    /** The session, if it has neither ended nor been idle for longer than `idleMs`; records its use. */
    async use(hash: string, idleMs: number): Promise<SessionRecord | undefined> {
      const { rows } = await sql<SessionRecord & { stale: boolean }>`
        select identity, expires_at as "expiresAt", seen_at < clock_timestamp() - make_interval(secs => ${seenEverySeconds(idleMs)}) as stale
        from rampart_server.session
        where hash = ${hash} and expires_at > clock_timestamp()
          and seen_at > clock_timestamp() - make_interval(secs => ${idleMs / 1_000})
      `.execute(db);
      const [row] = rows;
      if (row === undefined) return undefined;
      const { stale, ...session } = row;
      if (stale)
        await sql`update rampart_server.session set seen_at = clock_timestamp() where hash = ${hash}`.execute(
          db,
        );
      return session;
    },

    async remove(hash: string): Promise<void> {
      await sql`delete from rampart_server.session where hash = ${hash}`.execute(db);
    },
  };
}

function after(ms: number) {
  return sql`clock_timestamp() + make_interval(secs => ${ms / 1_000})`;
}
