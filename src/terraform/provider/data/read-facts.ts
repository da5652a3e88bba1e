import { type FactNeeds, type Facts, noFacts } from '../../../core/model/facts.ts';
import type { HostId } from '../../../core/model/host-id.ts';
import type { AntivirusFact, Observed } from '../../../core/model/observed.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { categoryNames } from '../../../service/wire/custom-fields.ts';
import { storedInventory } from '../../fleet/inventory-place.ts';
import type { ProviderService } from '../service.ts';

/** What an expression reads in addition to the list of hosts. */
export interface KnownFacts {
  readonly facts: Facts;
  antivirusOf(id: HostId): AntivirusFact | undefined;
}

/** Reads only the lists that are needed; inventory is not fetched. */
export async function readFacts(
  { session, inventoryPlace: place }: ProviderService,
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
  const inventory = await storedInventory(needs, observed, {
    session,
    place,
    reader: 'the expression reads',
  });
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
