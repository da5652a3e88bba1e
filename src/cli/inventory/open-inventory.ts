import { type Facts, inventoryKinds } from '../../core/model/facts.ts';
import type { ListRead } from '../../core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { allInventories } from '../../service/inventory/host-inventory.ts';
import type { InventoryCache } from '../../service/inventory/inventory-cache.ts';
import { readAccountInventory } from '../../service/inventory/inventory-facts.ts';
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
  const stateDir = context.path(context.settings.stateDir);
  const cached = readAccountInventory({ stateDir, account: account.value, shared: shared.value }, read);
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

/** The account's inventory in the cache. The time of a list is that of its oldest record. */
export async function savedInventory(
  context: Context,
): Promise<Result<Pick<Facts, 'lists' | 'inventoryOf'>>> {
  const read = await readInventory(context, (cache) => allInventories(cache, inventoryKinds));
  if (!read.ok) return read;
  const byId = new Map(read.value.map((each) => [each.id, each.inventory]));
  const lists = inventoryKinds.flatMap((kind): readonly ListRead[] => {
    const times = read.value.flatMap(({ inventory }) => inventory[kind]?.fetchedAt ?? []);
    const oldest = times.reduce<string | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
    return oldest === undefined ? [] : [{ list: `${kind}-inventory`, at: oldest }];
  });
  return ok({ lists, inventoryOf: (kind, id) => byId.get(id)?.[kind]?.record ?? undefined }, read.problems);
}
