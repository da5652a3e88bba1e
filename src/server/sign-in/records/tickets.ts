import { sql } from 'kysely';
import { toJson } from '../../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from '../../database/query.ts';

/** Values that are used once: login links, the state of a login, and the ids of tokens of pipelines. */
export function ticketsOn(db: StoreDb) {
  return {
    /** `hash` is the SHA-256 of the secret that redeems it. `value` holds no secret in clear. */
    async put(kind: string, hash: string, value: unknown, lifeMs: number): Promise<void> {
      await sql`
        insert into rampart_server.ticket (kind, hash, value, expires_at)
        values (${kind}, ${hash}, ${toJson(value)},
          clock_timestamp() + make_interval(secs => ${lifeMs / 1_000}))
        on conflict (kind, hash) do update set value = excluded.value, expires_at = excluded.expires_at
      `.execute(db);
    },

    /** Removes the ticket and returns its value; undefined if it was taken before, has expired, or never existed. */
    async take(kind: string, hash: string): Promise<{ readonly value: unknown } | undefined> {
      const { rows } = await sql<{ value: unknown; valid: boolean }>`
        delete from rampart_server.ticket where kind = ${kind} and hash = ${hash}
        returning value, expires_at > clock_timestamp() as valid
      `.execute(db);
      const [row] = rows;
      return row?.valid === true ? { value: row.value } : undefined;
    },

    /** Whether this id of a token was seen for the first time. It is remembered until the token has expired. */
    async useJti(issuer: string, jti: string, expiresAt: Date): Promise<boolean> {
      const { rows } = await sql`
        insert into rampart_server.used_jti (issuer, jti, expires_at)
        values (${issuer}, ${jti}, ${expiresAt.toISOString()}::timestamptz)
        on conflict do nothing returning jti
      `.execute(db);
      return rows.length === 1;
    },
  };
}
