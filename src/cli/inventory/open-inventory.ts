import type { Account } from '../../core/model/account.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { inventoryCachePath } from '../../service/inventory/cache-path.ts';
import type { InventoryCache } from '../../service/inventory/inventory-cache.ts';
import { readCache, readCacheText } from '../../service/inventory/with-cache.ts';
import { accountOf } from '../service/connect-service.ts';
import { inventoryOf } from '../service/shared-inventory.ts';
import type { Context } from '../shell/context.ts';

/** Reads from the account's inventory cache. Nothing is sent, and a missing cache is a problem. */
export async function readInventory<T>(
  context: Context,
  read: (cache: InventoryCache) => T,
): Promise<Result<T>> {
  const account = await accountOf(context);
  if (!account.ok) return account;
  const shared = await inventoryOf(context).shared(account.value);
  if (!shared.ok) return shared;
  const cached = readFrom(context, account.value, shared.value, read);
  if (!cached.ok) return cached;
  if (cached.value === undefined) {
    return failed(
      problem('inventory-missing', 'no inventory of this account is cached', {
        hint: 'run: rampart hosts inventory pull',
      }),
    );
  }
  return ok(cached.value, account.problems);
}

function readFrom<T>(
  { path, settings }: Context,
  account: Account,
  shared: string | null | undefined,
  read: (cache: InventoryCache) => T,
): Result<T | undefined> {
  if (shared === undefined) return readCache(inventoryCachePath(path(settings.stateDir), account), read);
  return shared === null ? ok(undefined) : readCacheText(shared, read);
}
