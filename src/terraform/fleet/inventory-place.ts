import { accountKey } from '../../core/model/account.ts';
import { type FactNeeds, type Facts, noFacts } from '../../core/model/facts.ts';
import { hostsOf, type Observed } from '../../core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { FleetSession } from './fleet-session.ts';
import type { OpenState } from './run-record.ts';

/** Where the inventory of the account is stored. */
export interface FleetInventoryPlace {
  /** The folder of the cache; null: none. */
  readonly stateDir: string | null;
  /** The shared state that has the inventory instead of the folder; null: none. */
  readonly shared: OpenState | null;
}

export const noInventoryPlace: FleetInventoryPlace = { stateDir: null, shared: null };

/**
 * The stored inventory that expressions read; nothing is sent. The database of the cache is loaded only if it is needed.
 * `reader` is the subject of the problem if there is no place for inventory.
 */
export async function storedInventory(
  needs: FactNeeds,
  fleet: Observed,
  { session, place, reader }: StoredInventoryOptions,
): Promise<Result<Pick<Facts, 'lists' | 'inventoryOf'>>> {
  if (needs.hardware.length === 0 && needs.system.length === 0) return ok(noFacts);
  const { account, clock } = session;
  const { stateDir, shared } = place;
  if (stateDir === null && shared === null) {
    return failed(
      problem('inventory-missing', `${reader} inventory, but state_dir is not set`, {
        hint: 'set state_dir in the provider block to the folder of "rampart hosts inventory pull --state-dir", or add a state block',
      }),
    );
  }
  const state = await shared?.();
  if (state?.ok === false) return state;
  const text = await state?.value.inventories.read(accountKey(account));
  if (text?.ok === false) return text;
  const { readInventoryFacts } = await import('../../service/inventory/inventory-facts.ts');
  const hosts = hostsOf(fleet).map(({ id }) => id);
  return readInventoryFacts({
    stateDir: stateDir ?? '',
    ...(text === undefined ? {} : { shared: text.value }),
    account,
    needs,
    hosts,
    now: clock.now(),
  });
}

interface StoredInventoryOptions {
  readonly session: Pick<FleetSession, 'account' | 'clock'>;
  readonly place: FleetInventoryPlace;
  /** For example `rules read`. */
  readonly reader: string;
}
