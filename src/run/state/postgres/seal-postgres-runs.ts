import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { accountKey, accountOfRecord } from '../../../core/model/account.ts';
import { recordSchema } from '../journal/record-schema.ts';
import { type RunSeal, sealRun } from '../journal/seal-run.ts';
import type { Database } from './connect.ts';
import { startRows } from './record-rows.ts';

/** How many runs are read at once. */
const portion = 50;

/** The columns that repeat a part of a record must agree with it, because lists and later runs read only them. */
export async function sealPostgresRuns(
  { db }: Database,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunSeal>> {
  const seals = new Map<string, RunSeal>();
  for (let from = 0; from < runIds.length; from += portion) {
    const { rows } = await sql<StoredRun>`
      select run.run_id as id, account, head, last, started_at, coalesce(records, '[]') as records
      from rampart.run left join lateral (
        select jsonb_agg(jsonb_build_array(type, kind, body) order by seq) as records
        from rampart.record where record.run_id = run.run_id
      ) as every on true
      where run.run_id = any(${runIds.slice(from, from + portion)}::text[])
    `.execute(db);
    for (const row of rows) seals.set(row.id, sealOf(row));
  }
  return seals;
}

interface StoredRun {
  readonly id: string;
  readonly account: string;
  readonly head: unknown;
  readonly last: unknown;
  readonly started_at: Date;
  readonly records: readonly (readonly [type: string, kind: string | null, body: unknown])[];
}

function sealOf({ id, account, head, last, started_at: startedAt, records }: StoredRun): RunSeal {
  const first = recordSchema.safeParse(head).data;
  if (first?.type !== 'run') return sealRun([head]);
  const bodies = records.map(([, , body]) => body);
  const row = startRows();
  const isAsWritten = records.every(([type, kind, body]) => {
    const record = recordSchema.safeParse(body).data;
    if (record === undefined) return false;
    const expected = row(record);
    return expected.type === type && expected.kind === kind;
  });
  const end = records.at(-1)?.[0] === 'end' ? bodies.at(-1) : null;
  const agrees =
    first.run_id === id &&
    accountKey(accountOfRecord(first.account)) === account &&
    Date.parse(first.at) === startedAt.getTime() &&
    isDeepStrictEqual(last, end);
  if (!agrees) return sealRun(['contradicts its record']);
  return sealRun([head, ...bodies], isAsWritten ? [] : ['contradicts its records']);
}
