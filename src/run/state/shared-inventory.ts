import { type Environment, valueOf } from '../../core/lib/surroundings.ts';
import { type Account, accountKey } from '../../core/model/account.ts';
import { failed, ok, type Problem, problem, type Result, warning } from '../../core/problem/problem.ts';
import { parseCache, printCache } from '../../service/inventory/cache-text.ts';
import type { CacheContents, InventoryCache } from '../../service/inventory/inventory-cache.ts';
import { damagedInventory } from '../../service/inventory/with-cache.ts';
import type { State } from './interface/state.ts';

const variable = 'RAMPART_INVENTORY_CACHE';

/** Where the environment puts the inventory: in the local cache, or in the shared state. Null if it does not say. */
export function inventoryCacheOf(env: Environment): Result<'local' | 'state' | null> {
  const given = valueOf(env, variable);
  if (given === undefined) return ok(null);
  if (given === 'local' || given === 'state') return ok(given);
  return failed(
    problem('configuration', `${variable} must be "local" or "state"`, {
      hint: 'set "local" for the local folder of the state, or "state" for the database of RAMPART_STATE_URL',
    }),
  );
}

/** What a pull takes from the shared state and leaves there. */
export interface SharedCache {
  readonly known: CacheContents | null;
  save(cache: InventoryCache): Promise<Result<null>>;
}

/** A damaged inventory is a warning: the pull replaces it. */
export async function openSharedCache(
  { inventories }: Pick<State, 'inventories'>,
  account: Account,
): Promise<Result<SharedCache>> {
  const key = accountKey(account);
  const save = (cache: InventoryCache) => inventories.save(key, printCache(cache));
  const read = await inventories.read(key);
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
