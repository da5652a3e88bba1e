import { sql } from 'kysely';
import { toJson } from '../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from './query.ts';

/** The request that a key of the header `Idempotency-Key` represents. */
export type KeyClaim =
  | { readonly kind: 'new' }
  /** The request with this key has no response yet. */
  | { readonly kind: 'busy' }
  /** The key was used for another request. */
  | { readonly kind: 'other-request' }
  | { readonly kind: 'answered'; readonly status: number; readonly response: unknown };

/** A request that has no response after this time, in seconds, was lost with its server. */
const lostAfterSeconds = 60;

export function idempotencyOn(db: StoreDb) {
  return {
    /** Claims a key for a request. `requestHash` covers the method, the path and the body. */
    async claim(subject: string, key: string, requestHash: string): Promise<KeyClaim> {
      const { rows: claimed } = await sql`
        insert into rampart_server.idempotency as old (subject, key, request_hash)
        values (${subject}, ${key}, ${requestHash})
        on conflict (subject, key) do update set at = clock_timestamp()
          where old.status is null and old.request_hash = excluded.request_hash
            and old.at < clock_timestamp() - make_interval(secs => ${lostAfterSeconds})
        returning key
      `.execute(db);
      if (claimed.length === 1) return { kind: 'new' };
      const { rows } = await sql<{ request_hash: string; status: number | null; response: unknown }>`
        select request_hash, status, response from rampart_server.idempotency
        where subject = ${subject} and key = ${key}
      `.execute(db);
      const [row] = rows;
      if (row === undefined) return { kind: 'busy' };
      if (row.request_hash !== requestHash) return { kind: 'other-request' };
      return row.status === null
        ? { kind: 'busy' }
        : { kind: 'answered', status: row.status, response: row.response };
    },

    /** Stores the response, which is returned again for the same key. */
    async answer(subject: string, key: string, status: number, response: unknown): Promise<void> {
      await sql`
        update rampart_server.idempotency
        set status = ${status}, response = ${toJson(response)}
        where subject = ${subject} and key = ${key}
      `.execute(db);
    },

    /** Gives the key back after a failure that the client should try again. */
    async release(subject: string, key: string): Promise<void> {
      await sql`
        delete from rampart_server.idempotency where subject = ${subject} and key = ${key} and status is null
      `.execute(db);
    },
  };
}
