import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ShownPause } from '../../../api/accounts.ts';
import { batchCalls } from '../../../core/lib/batch-calls.ts';
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
import type { StoreDb } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';

export type PauseRecord = Stored<ShownPause, 'at' | 'until'>;

/** Whether a pause has not ended. */
export const holdsNow = sql<boolean>`(pause.until is null or pause.until > clock_timestamp())`;

const columns = sql`id, scope, by, reason, at, until`;

export function pausesOn(db: StoreDb) {
  const listFor = batchCalls(
    async (askers: readonly null[]): Promise<readonly (readonly PauseRecord[])[]> => {
      const { rows } = await sql<PauseRecord>`
        select ${columns} from rampart_server.pause where ${holdsNow}
        order by date_trunc('milliseconds', at), id
      `.execute(db);
      return askers.map(() => rows);
    },
  );
  return {
    /**
     * The pauses that have not ended, oldest first. The caller decides who may see which, because a scope is not an
     * account. Calls that arrive together become one statement.
     */
    list: (): Promise<readonly PauseRecord[]> => listFor(null),

    /** A page of those that the caller may see. */
    async page(
      query: Omit<PageRequest, 'visible'>,
      isShown: (pause: PauseRecord) => boolean,
    ): Promise<Result<ListPage<PauseRecord>>> {
      const cursor = readCursor(query.cursor, timeKey);
      if (!cursor.ok) return cursor;
      const after = cursor.value?.join() ?? '';
      const keyOf = ({ at, id }: PauseRecord) => [at.toISOString(), id];
      const shown = (await listFor(null)).filter(isShown).filter((each) => keyOf(each).join() > after);
      return toListPage(shown, pageLimit(query.limit), keyOf);
    },

    async add({ scope, by, reason, until }: Omit<PauseRecord, 'id' | 'at'>): Promise<PauseRecord> {
      const { rows } = await sql<PauseRecord>`
        insert into rampart_server.pause (id, scope, by, reason, until)
        values (${randomUUID()}, ${scope}, ${toJson(by)}, ${reason}, ${until?.toISOString() ?? null}::timestamptz)
        returning ${columns}
      `.execute(db);
      return rows[0] as PauseRecord;
    },

    /** Ends a pause now; undefined if it has ended. */
    async end(id: string): Promise<PauseRecord | undefined> {
      const { rows } = await sql<PauseRecord>`
        update rampart_server.pause set until = date_trunc('milliseconds', clock_timestamp())
        where id = ${id} and ${holdsNow} returning ${columns}
      `.execute(db);
      return rows[0];
    },
  };
}
