import { sql } from 'kysely';
import { z } from 'zod';
import type { Cause } from '../../../api/accounts.ts';
import type { Result } from '../../../core/problem/problem.ts';
import {
  type ListPage,
  mapPage,
  type PageRequest,
  pageLimit,
  readCursor,
  toListPage,
} from '../../database/page.ts';
import { ifGiven, type StoreDb, visibleRows } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';
import type { CauseOrigin } from './check-record.ts';

export type CauseRecord = Stored<Cause, 'since'>;

export interface CauseQuery extends PageRequest {
  readonly account?: string | undefined;
  readonly id?: string | undefined;
}

/** `hosts`: of kind `assets`, the number of rows. */
interface CauseRow extends Omit<CauseRecord, 'assets' | 'place' | 'by'> {
  readonly origin: CauseOrigin | null;
  readonly others: boolean | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly col: number | null;
}

const number = z.int32().min(0);
const causeKey = z.tuple([number, number, number, z.string()]);

export function causesOn(db: StoreDb) {
  return {
    /** Over all visible accounts: failures first, then the ones with most accounts, then with most hosts. */
    async list(query: CauseQuery): Promise<Result<ListPage<CauseRecord>>> {
      const cursor = readCursor(query.cursor, causeKey);
      if (!cursor.ok) return cursor;
      const limit = pageLimit(query.limit);
      const rank = sql`case cause.kind when 'failure' then 0 else 1 end`;
      const { rows } = await sql<CauseRow>`
        select cause.id, cause.kind, cause.title, cause.rule, cause.file, cause.line, cause.col,
          found.hosts, found.accounts, found.since, found.origin, found.others
        from (
          select cause, sum(hosts)::integer as hosts, count(*)::integer as accounts, min(since) as since,
            min(origin::text)::jsonb as origin, min(origin::text) <> max(origin::text) as others
          from rampart_server.account_cause
          where ${visibleRows(query.visible, sql`account`)}
            and ${ifGiven(query.account, (account) => sql`account = ${account}`)}
            and ${ifGiven(query.id, (id) => sql`cause = ${id}`)}
          group by cause
        ) as found
        join rampart_server.cause on cause.id = found.cause
        where ${ifGiven(
          cursor.value,
          ([kind, accounts, hosts, id]) => sql`(${rank}, -found.accounts, -found.hosts, cause.id) >
              (${kind}::integer, ${-accounts}::integer, ${-hosts}::integer, ${id})`,
        )}
        order by ${rank}, found.accounts desc, found.hosts desc, cause.id limit ${limit + 1}
      `.execute(db);
      const page = toListPage(rows, limit, ({ kind, accounts, hosts, id }) => [
        kind === 'failure' ? 0 : 1,
        accounts,
        hosts,
        id,
      ]);
      return mapPage(page, causeOf);
    },
  };
}

function causeOf({ file, line, col, origin, others, ...cause }: CauseRow): CauseRecord {
  const areRows = cause.kind === 'assets';
  return {
    ...cause,
    hosts: areRows ? 0 : cause.hosts,
    assets: areRows ? cause.hosts : null,
    place:
      file === null
        ? null
        : { file, ...(line === null ? {} : { line }), ...(col === null ? {} : { column: col }) },
    by: origin === null ? null : { ...origin, others: others === true },
  };
}
