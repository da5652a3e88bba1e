import { type Facts, inventoryKinds } from '../../core/model/facts.ts';
import type { ListRead } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import { allInventories } from '../../service/inventory/host-inventory.ts';
import type { Context } from '../shell/context.ts';
import { readInventory } from './open-inventory.ts';

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
