import { failed, type Result } from '../../../core/problem/problem.ts';
import { inventoryCachePath } from '../../../service/inventory/cache-path.ts';
import type { InventoryCache } from '../../../service/inventory/inventory-cache.ts';
import { withCache } from '../../../service/inventory/with-cache.ts';
import { makeFolder } from './replace-file.ts';
import { unwritable } from './unwritable.ts';

/** Runs work with the inventory cache of the account with this key in a folder of the state, creating both if they are missing. */
export async function withLocalCache<T>(
  stateDir: string,
  key: string,
  work: (cache: InventoryCache) => Promise<T>,
): Promise<Result<T>> {
  try {
    makeFolder(stateDir, 0o700);
  } catch (error) {
    return failed(unwritable(`the folder ${stateDir}`, error));
  }
  return withCache(inventoryCachePath(stateDir, key), work);
}
