import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostInventory } from '../../service/inventory/host-inventory.ts';

/** One host's inventory as JSON: null if it was never requested, a null record if the host has none. */
export function inventoryDocument(
  { id, name, inventory }: HostInventory,
  kinds: readonly InventoryKind[],
): Readonly<Record<string, unknown>> {
  const known = kinds.map((kind) => {
    const each = inventory[kind];
    return [
      kind,
      each === undefined ? null : { fetched_at: each.fetchedAt, fields: each.fields, record: each.record },
    ] as const;
  });
  return { id, name, ...Object.fromEntries(known) };
}
