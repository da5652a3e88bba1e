import { notBuilt } from './not-built.ts';
import type { StoreDatabase } from './store-database.ts';

/** The database at an address, with a connection of its own for notifications. It connects on first use. */
export function openPostgresDatabase(_url: string): StoreDatabase {
  return notBuilt();
}
