import { type Account, accountKey } from '../../../core/model/account.ts';
import { type Problem, warning } from '../../../core/problem/problem.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { parseCache, printCache } from '../../../service/inventory/cache-text.ts';
import type { CacheContents, InventoryCache } from '../../../service/inventory/inventory-cache.ts';
import { damagedInventory } from '../../../service/inventory/with-cache.ts';
import { inventoryState } from '../service/shared-inventory.ts';
import type { Context } from '../shell/context.ts';

/** What a pull takes from the shared state and leaves there; without one, nothing. */
export interface SharedCache {
  readonly known: CacheContents | null;
  save(cache: InventoryCache): Promise<Result<null>>;
}

/** A damaged inventory is a warning: the pull replaces it. */
export async function openSharedCache(context: Context, account: Account): Promise<Result<SharedCache>> {
  const opened = await inventoryState(context);
  if (!opened.ok) return opened;
  const state = opened.value;
  if (state === undefined) return ok({ known: null, save: async () => ok(null) });
  const key = accountKey(account);
  const save = (cache: InventoryCache) => state.inventories.save(key, printCache(cache));
  const read = await state.inventories.read(key);
  if (!read.ok) {
    const isDamaged = read.problems.every(({ code }) => code === 'inventory-cache');
    return isDamaged ? ok({ known: null, save }, read.problems.map(replaced)) : read;
  }
  const known = read.value === null ? null : parseCache(read.value);
  return known === undefined
    ? ok({ known: null, save }, [replaced(damagedInventory())])
    : ok({ known, save });
}

function replaced({ code, message }: Problem): Problem {
  return warning(code, `${message}; this pull replaces it`);
}
