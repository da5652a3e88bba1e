import type { Kysely } from 'kysely';
import { migrateForward } from './migrate-forward.ts';
import { stateMigrations } from './state-migrations.ts';

/** The newest version that this program knows; versions compare as text. */
export const newestVersion = Object.keys(stateMigrations).toSorted().at(-1) as string;

/** Waits for another process that is migrating. Returns the versions that were applied now. */
export async function migrate<T>(db: Kysely<T>): Promise<readonly string[]> {
  return migrateForward(db, { schema: 'rampart', migrations: stateMigrations });
}
