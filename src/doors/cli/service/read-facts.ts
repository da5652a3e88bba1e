import type { Account } from '../../../core/model/account.ts';
import { type FactNeeds, type Facts, noFacts } from '../../../core/model/facts.ts';
import { hostsOf, type Observed } from '../../../core/model/observed.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { type CustomFieldCategory, categoryNames } from '../../../service/wire/custom-fields.ts';
import { type CustomFields, readCustomFields } from '../../../service/wire/read-custom-fields.ts';
import type { Context } from '../shell/context.ts';
import type { Connection } from './connect-service.ts';
import { withConnection } from './read-fleet.ts';
import { sharedInventory } from './shared-inventory.ts';

/** Facts, and the categories of custom fields if those were read. */
export interface FleetFacts extends Facts {
  readonly categories: readonly CustomFieldCategory[];
}

/** A fleet with all requested facts. */
export interface KnownFleet {
  readonly account: Account;
  readonly observed: Observed;
  readonly facts: FleetFacts;
}

export interface FactOptions {
  /** The fleet, if it was already read. */
  readonly fleet?: Observed;
  /** Older inventory is an error; in milliseconds. */
  readonly maxAgeMs?: number;
}

/** The lists of the fleet and the other facts. Reads only what is needed. */
export function readKnownFleet(context: Context, needs: FactNeeds): Promise<Result<KnownFleet>> {
  return withConnection(context, async (connection) => {
    const read = await connection.reader.read({ antivirus: needs.antivirus });
    if (!read.ok) return read;
    const facts = await factsFor(needs, connection, context, { fleet: read.value });
    if (!facts.ok) return facts;
    const { account } = connection;
    return ok({ account, observed: read.value, facts: facts.value }, [...read.problems, ...facts.problems]);
  });
}

/** The facts for expressions and columns that are not in the lists of the fleet; those lists include anti-virus. */
export async function factsFor(
  needs: FactNeeds,
  connection: Connection,
  context: Context,
  options: FactOptions = {},
): Promise<Result<FleetFacts>> {
  const fields: Result<Pick<CustomFields, 'lists' | 'categories' | 'customFieldsOf'>> = needs.customFields
    ? await readCustomFields(connection.client, { clock: context.io.clock })
    : ok({ ...noFacts, categories: [] });
  if (!fields.ok) return fields;
  const known = await inventoryFor(needs, connection, context, options);
  if (!known.ok) return known;
  return ok(
    {
      lists: [...fields.value.lists, ...known.value.lists],
      categories: fields.value.categories,
      ...categoryNames(needs.customFields ? fields.value.categories : undefined),
      customFieldsOf: (id) => fields.value.customFieldsOf(id),
      inventoryOf: (kind, id) => known.value.inventoryOf(kind, id),
    },
    [...fields.problems, ...known.problems],
  );
}

/** Inventory comes from the cache only, which is loaded only if it is needed. */
async function inventoryFor(
  needs: FactNeeds,
  { account }: Connection,
  context: Context,
  { fleet, ...options }: FactOptions,
): Promise<Result<Pick<Facts, 'lists' | 'inventoryOf'>>> {
  if (needs.hardware.length === 0 && needs.system.length === 0) return ok(noFacts);
  const { settings, path, io } = context;
  const shared = await sharedInventory(context, account);
  if (!shared.ok) return shared;
  const { readInventoryFacts } = await import('../../../service/inventory/inventory-facts.ts');
  return readInventoryFacts({
    stateDir: path(settings.stateDir),
    account,
    needs,
    now: io.clock.now(),
    ...(shared.value === undefined ? {} : { shared: shared.value }),
    ...(fleet === undefined ? {} : { hosts: hostsOf(fleet).map(({ id }) => id) }),
    ...options,
  });
}
