import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { inventoryCachePath } from '../../../service/inventory/cache-path.ts';
import type { InventoryCache } from '../../../service/inventory/inventory-cache.ts';
import { readCache } from '../../../service/inventory/with-cache.ts';
import { accountOf } from '../service/connect-service.ts';
import type { Context } from '../shell/context.ts';

/** Reads from the account's inventory cache. Nothing is sent, and a missing cache is a problem. */
export async function readInventory<T>(
  context: Context,
  read: (cache: InventoryCache) => T,
): Promise<Result<T>> {
  const account = await accountOf(context);
  if (!account.ok) return account;
  const path = inventoryCachePath(context.path(context.settings.stateDir), account.value);
  const cached = readCache(path, read);
  if (!cached.ok) return cached;
  if (cached.value === undefined) {
    return failed(
      problem('inventory-missing', 'no inventory of this account is cached', {
        hint: 'run: rampart inventory pull',
      }),
    );
  }
  return ok(cached.value, account.problems);
}
