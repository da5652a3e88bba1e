import type { InventoryPlace } from '../../accounts/engine/read-facts.ts';
import { type Account, accountKey } from '../../core/model/account.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { State } from '../../run/state/interface/state.ts';
import { inventoryCacheOf } from '../../run/state/shared-inventory.ts';
import { isStateUrlGiven } from '../../run/state/state-url.ts';
import type { Context } from '../shell/context.ts';

/** The state that stores the inventory; undefined if the inventory is in the local cache. */
export async function inventoryState({ io, settings, state }: Context): Promise<Result<State | undefined>> {
  const given = inventoryCacheOf(io.env);
  if (!given.ok) return given;
  const isShared = given.value === 'state' && settings.emulator === undefined && isStateUrlGiven(io.env);
  return isShared ? state.open() : ok(undefined);
}

/** The account's inventory in the shared state as text, null if there is none; undefined for the local cache. */
async function sharedInventory(
  context: Context,
  account: Account,
): Promise<Result<string | null | undefined>> {
  const state = await inventoryState(context);
  if (!state.ok) return state;
  return state.value === undefined ? ok(undefined) : state.value.inventories.read(accountKey(account));
}

/** Where this command reads the inventory. */
export function inventoryOf(context: Context): InventoryPlace {
  return {
    stateDir: context.path(context.settings.stateDir),
    shared: (account) => sharedInventory(context, account),
  };
}
