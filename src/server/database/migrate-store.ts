import { sql } from 'kysely';
import { migrateForward } from '../../run/state/postgres/migrate-forward.ts';
import { storeMigrations } from './migrations.ts';
import type { StoreDb } from './tables.ts';

/** Creates the server's tables, or updates them. Returns the versions that were applied now. */
export async function migrateStore(db: StoreDb): Promise<readonly string[]> {
  const applied = await migrateForward(db, { schema: 'rampart_server', migrations: storeMigrations });
  // Events of a backup have the numbers of transactions of another server, which may be far ahead of those of this one.
  await sql`delete from rampart_server.event where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(
    db,
  );
  return applied;
}
