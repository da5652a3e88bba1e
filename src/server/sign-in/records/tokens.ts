import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Subject } from '../../../api/access/grants.ts';
import type { TokenRow } from '../../../api/settings.ts';
import type { Result } from '../../../core/problem/problem.ts';
import { toJson } from '../../../run/state/postgres/in-transaction.ts';
import {
  type ListPage,
  type PageRequest,
  pageLimit,
  readCursor,
  timeKey,
  toListPage,
} from '../../database/page.ts';
import { ifGiven, type StoreDb } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';

export type TokenRecord = Omit<
  Stored<TokenRow, 'created_at' | 'expires_at' | 'revoked_at' | 'last_used_at'>,
  'grants'
> & { readonly grants: readonly unknown[] };

export interface NewToken {
  readonly name: string;
  /** SHA-256 of the token, in hexadecimal digits. The token itself is never stored. */
  readonly hash: string;
  readonly grants: readonly unknown[];
  readonly createdBy: Subject;
  readonly lifeMs: number;
}

const columns = sql`id, name, grants, created_by, created_at, expires_at, revoked_at, last_used_at`;

/** As precise as the time in a cursor. */
const created = sql`date_trunc('milliseconds', created_at)`;

/** The time of use is written at most this often, in seconds. */
const usedEverySeconds = 60;

export function tokensOn(db: StoreDb) {
  return {
    async create({ name, hash, grants, createdBy, lifeMs }: NewToken): Promise<TokenRecord> {
      const { rows } = await sql<TokenRecord>`
        insert into rampart_server.token (id, hash, name, grants, created_by, expires_at)
        values (${randomUUID()}, ${hash}, ${name}, ${toJson(grants)},
          ${toJson(createdBy)}, clock_timestamp() + make_interval(secs => ${lifeMs / 1_000}))
        returning ${columns}
      `.execute(db);
      return rows[0] as TokenRecord;
    },

    /** The token, if it is neither revoked nor expired; records its use. */
    async use(hash: string): Promise<TokenRecord | undefined> {
      const { rows } = await sql<TokenRecord & { stale: boolean }>`
        select ${columns},
          coalesce(last_used_at < clock_timestamp() - make_interval(secs => ${usedEverySeconds}), true) as stale
        from rampart_server.token
        where hash = ${hash} and revoked_at is null and expires_at > clock_timestamp()
      `.execute(db);
      const [row] = rows;
      if (row === undefined) return undefined;
      const { stale, ...token } = row;
      if (stale)
        await sql`update rampart_server.token set last_used_at = clock_timestamp() where hash = ${hash}`.execute(
          db,
        );
      return token;
    },

    /** All tokens, latest first. Tokens are the affair of administrators, so they belong to no account. */
    async list(query: Omit<PageRequest, 'visible'> = {}): Promise<Result<ListPage<TokenRecord>>> {
      const cursor = readCursor(query.cursor, timeKey);
      if (!cursor.ok) return cursor;
      const limit = pageLimit(query.limit);
      const { rows } = await sql<TokenRecord>`
        select ${columns} from rampart_server.token
        where ${ifGiven(cursor.value, (after) => sql`(${created}, id) < (${after[0]}::timestamptz, ${after[1]})`)}
        order by ${created} desc, id desc limit ${limit + 1}
      `.execute(db);
      return toListPage(rows, limit, ({ created_at, id }) => [created_at.toISOString(), id]);
    },

    /** Also a token that was revoked or has expired. */
    async find(id: string): Promise<TokenRecord | undefined> {
      const { rows } = await sql<TokenRecord>`
        select ${columns} from rampart_server.token where id = ${id}
      `.execute(db);
      return rows[0];
    },

    /** The token that was revoked now; undefined if there is none, or it was already revoked. */
    async revoke(id: string): Promise<TokenRecord | undefined> {
      const { rows } = await sql<TokenRecord>`
        update rampart_server.token set revoked_at = clock_timestamp()
        where id = ${id} and revoked_at is null returning ${columns}
      `.execute(db);
      return rows[0];
    },
  };
}
