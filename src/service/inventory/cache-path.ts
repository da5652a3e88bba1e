import { join } from 'node:path';

/** The path of an account's inventory: one file. `key` is that of `accountKey`, so the name does not reveal the account. */
export function inventoryCachePath(stateDir: string, key: string): string {
  return join(stateDir, `inventory-${key}.sqlite`);
}
