import type { InventoryPlace } from '../../../control/engine/read-facts.ts';
import { type Account, accountKey } from '../../../core/model/account.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { State } from '../../../run/state/interface/state.ts';
import { isStateUrlGiven } from '../../../run/state/state-url.ts';
import type { Context } from '../shell/context.ts';

const variable = 'RAMPART_INVENTORY_CACHE';

/** The state that stores the inventory; undefined if the inventory is in the local cache. */
export async function inventoryState({ io, settings, state }: Context): Promise<Result<State | undefined>> {
  const given = io.env[variable]?.trim() ?? '';
  if (given !== '' && given !== 'local' && given !== 'state') {
    return failed(
      problem('configuration', `${variable} must be "local" or "state"`, {
        hint: 'set "local" for the folder of --state-dir, or "state" for the database of RAMPART_STATE_URL',
      }),
    );
  }
  const isShared = given === 'state' && settings.emulator === undefined && isStateUrlGiven(io.env);
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
