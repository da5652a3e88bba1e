import { type RawBuilder, sql } from 'kysely';
import { type Account, accountKey } from '../../../core/model/account.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import type { ListTime } from '../interface/state.ts';
import type { Database } from './connect.ts';
import { toJson } from './in-transaction.ts';

/** Uses the database's clock, independent of the clocks of the machines. `account` is its key. */
export function selectListTimes(account: RawBuilder<unknown>): RawBuilder<ListTime> {
  return sql<ListTime>`
    select action, every_ms as "everyMs",
      (extract(epoch from clock_timestamp() - read_at) * 1000)::double precision as "ageMs"
    from rampart.list_time where account = ${account}
  `;
}

/** If two machines read the same list, the later read counts. */
export async function savePostgresListTimes(
  { db }: Database,
  account: Account,
  times: readonly ListTime[],
): Promise<Result<null>> {
  await sql`
    insert into rampart.list_time (account, action, read_at, every_ms)
    select ${accountKey(account)}, row.action, clock_timestamp() - row."ageMs" * interval '1 millisecond', row."everyMs"
    from jsonb_to_recordset(${toJson(times)})
      as row (action text, "ageMs" double precision, "everyMs" double precision)
    on conflict (account, action) do update set read_at = excluded.read_at, every_ms = excluded.every_ms
      where rampart.list_time.read_at < excluded.read_at
  `.execute(db);
  return ok(null);
}
