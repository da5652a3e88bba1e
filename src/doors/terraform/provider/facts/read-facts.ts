import { type FactNeeds, type Facts, noFacts } from '../../../../core/model/facts.ts';
import type { HostId } from '../../../../core/model/host-id.ts';
import { type AntivirusFact, hostsOf, type Observed } from '../../../../core/model/observed.ts';
import { problem } from '../../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../../core/problem/result.ts';
import { categoryNames } from '../../../../service/wire/custom-fields.ts';
import type { Service } from '../service.ts';

/** What an expression reads in addition to the list of hosts. */
export interface KnownFacts {
  readonly facts: Facts;
  antivirusOf(id: HostId): AntivirusFact | undefined;
}

/** Reads only the lists that are needed; inventory comes from the local cache. */
export async function readFacts(
  { session, stateDir }: Service,
  needs: FactNeeds,
  observed: Observed,
  signal: AbortSignal,
): Promise<Result<KnownFacts>> {
  const antivirus = needs.antivirus ? await session.antivirus({ signal }) : null;
  if (antivirus?.ok === false) return antivirus;
  const fields = needs.customFields
    ? await session.customFields({ signal })
    : ok({ ...noFacts, categories: undefined });
  if (!fields.ok) return fields;
  const inventory = await inventoryFacts({ needs, observed, stateDir, session });
  if (!inventory.ok) return inventory;
  return ok(
    {
      facts: {
        lists: [...fields.value.lists, ...inventory.value.lists],
        customFieldsOf: (id) => fields.value.customFieldsOf(id),
        ...categoryNames(fields.value.categories),
        inventoryOf: (kind, id) => inventory.value.inventoryOf(kind, id),
      },
      antivirusOf: (id) => antivirus?.value.facts.get(id),
    },
    [...fields.problems, ...inventory.problems],
  );
}

interface InventoryNeeds extends Pick<Service, 'session' | 'stateDir'> {
  readonly needs: FactNeeds;
  readonly observed: Observed;
}

async function inventoryFacts({
  needs,
  observed,
  stateDir,
  session: { account, clock },
}: InventoryNeeds): Promise<Result<Pick<Facts, 'lists' | 'inventoryOf'>>> {
  if (needs.hardware.length === 0 && needs.system.length === 0) return ok(noFacts);
  if (stateDir === null) {
    return failed(
      problem('inventory-missing', 'the expression reads inventory, but state_dir is not set', {
        hint: 'set state_dir in the provider\'s block to the folder of "rampart inventory pull --state-dir"',
      }),
    );
  }
  const { readInventoryFacts } = await import('../../../../service/inventory/inventory-facts.ts');
  const hosts = hostsOf(observed).map(({ id }) => id);
  return readInventoryFacts({ stateDir, account, needs, hosts, now: clock.now() });
}
