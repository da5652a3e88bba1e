import { sql } from 'kysely';
import { accountKey } from '../../../core/model/account.ts';
import { noFacts } from '../../../core/model/facts.ts';
import { printSnapshot, readSnapshot, type Snapshot } from '../../../core/model/snapshot.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { unzipText, zipText } from '../journal/zip-text.ts';
import type { Database } from './connect.ts';

/** The fleet of the account with this key. */
export async function readPostgresFleet(
  { db, place }: Database,
  key: string,
): Promise<Result<Snapshot | null>> {
  const { rows } = await sql<{ readonly snapshot: Uint8Array }>`
    select snapshot from rampart.fleet where account = ${key}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return ok(null);
  const text = await unzipText(row.snapshot).catch(() => undefined);
  return text === undefined
    ? failed(problem('snapshot-invalid', `a fleet in ${place} is damaged`))
    : readSnapshot(text, place);
}

export async function savePostgresFleet(
  { db }: Database,
  { account, observed, earlier = [] }: Omit<Snapshot, 'facts'>,
): Promise<Result<null>> {
  const snapshot = await zipText(printSnapshot({ account, observed, facts: noFacts, earlier }));
  await sql`
    insert into rampart.fleet (account, snapshot) values (${accountKey(account)}, ${snapshot})
    on conflict (account) do update set snapshot = excluded.snapshot, saved_at = clock_timestamp()
  `.execute(db);
  return ok(null);
}

/** One after another, so that only one fleet is in memory. */
export async function eachPostgresFleet(
  database: Database,
  visit: (fleet: Snapshot) => Promise<Result<null>>,
): Promise<Result<null>> {
  const { rows } = await sql<{ readonly account: string }>`
    select account from rampart.fleet order by account
  `.execute(database.db);
  for (const { account } of rows) {
    const fleet = await readPostgresFleet(database, account);
    if (!fleet.ok) return fleet;
    const visited = fleet.value === null ? ok(null) : await visit(fleet.value);
    if (!visited.ok) return visited;
  }
  return ok(null);
}
