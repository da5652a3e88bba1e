import type { Clock } from '../../core/lib/surroundings.ts';
import { type Account, accountKey } from '../../core/model/account.ts';
import type { Desired } from '../../core/model/desired.ts';
import { type FactNeeds, type Facts, noFacts } from '../../core/model/facts.ts';
import { hostsOf, type Observed } from '../../core/model/observed.ts';
import { ok, type Problem, type Result } from '../../core/problem/problem.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { CustomFieldCategory } from '../../service/wire/custom-fields.ts';
import { factsFrom, readCustomFields } from '../../service/wire/read-custom-fields.ts';
import type { Connection } from './connection.ts';
import { checkCompany } from './planning.ts';

/** Facts, and the categories of custom fields if those were read. */
export interface FleetFacts extends Facts {
  readonly categories: readonly CustomFieldCategory[];
}

/** A fleet with all requested facts. */
export interface KnownFleet extends FleetToPlan {
  readonly facts: FleetFacts;
}

/** Where the inventory of an account is stored. */
export interface InventoryPlace {
  /** The folder of the cache, for an account that is not in the shared state. */
  readonly stateDir: string;
  /** The inventory in the shared state as text, null if there is none; undefined for the cache in the folder. */
  shared(account: Account): Promise<Result<string | null | undefined>>;
}

/** All inventory is in the shared state, because several machines use it. */
export function inventoryInState({ inventories }: Pick<State, 'inventories'>): InventoryPlace {
  return { stateDir: '', shared: (account) => inventories.read(accountKey(account)) };
}

export interface FactOptions {
  readonly clock: Clock;
  readonly inventory: InventoryPlace;
  /** The fleet, if it was already read. */
  readonly fleet?: Observed;
  /** Older inventory is an error; in milliseconds. */
  readonly maxAgeMs?: number;
}

/** The facts for expressions and columns that are not in the lists of the fleet; those lists include anti-virus. */
export async function factsFor(
  needs: FactNeeds,
  { client, account }: Pick<Connection, 'client' | 'account'>,
  options: FactOptions,
): Promise<Result<FleetFacts>> {
  const fields = needs.customFields
    ? await readCustomFields(client, { clock: options.clock })
    : ok(undefined);
  if (!fields.ok) return fields;
  const known = await inventoryFor(needs, account, options);
  if (!known.ok) return known;
  return ok({ ...factsFrom(fields.value, known.value), categories: fields.value?.categories ?? [] }, [
    ...fields.problems,
    ...known.problems,
  ]);
}

/** Inventory comes from the cache only, which is loaded only if it is needed. */
async function inventoryFor(
  needs: FactNeeds,
  account: Account,
  { clock, inventory, fleet, maxAgeMs }: FactOptions,
): Promise<Result<Pick<Facts, 'lists' | 'inventoryOf' | 'inventoryAt'>>> {
  if (needs.hardware.length === 0 && needs.system.length === 0) return ok(noFacts);
  const shared = await inventory.shared(account);
  if (!shared.ok) return shared;
  const { readInventoryFacts } = await import('../../service/inventory/inventory-facts.ts');
  return readInventoryFacts({
    stateDir: inventory.stateDir,
    account,
    needs,
    now: clock.now(),
    ...(shared.value === undefined ? {} : { shared: shared.value }),
    ...(fleet === undefined ? {} : { hosts: hostsOf(fleet).map(({ id }) => id) }),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
  });
}

/** A fleet with everything that planning needs to know about it. */
export interface FleetToPlan {
  readonly account: Account;
  readonly observed: Observed;
  readonly facts: Facts;
}

/** Reads the fleet, and only the lists and facts that planning needs. */
export async function readLive(
  connection: Connection,
  desired: Desired,
  needs: FactNeeds,
  options: Omit<FactOptions, 'fleet'>,
): Promise<Result<FleetToPlan>> {
  const { account, reader } = connection;
  const matches = checkCompany(desired, account);
  if (!matches.ok) return matches;
  const read = await reader.read({ antivirus: needs.antivirus });
  if (!read.ok) return read;
  const facts = await factsFor(needs, connection, { ...options, fleet: read.value });
  if (!facts.ok) return facts;
  return ok({ account, observed: read.value, facts: facts.value }, [
    ...read.problems.filter(isNotOfPlan),
    ...facts.problems,
  ]);
}

/** A plan itself names unreadable hosts. */
function isNotOfPlan({ code }: Problem): boolean {
  return code !== 'unreadable-host';
}
