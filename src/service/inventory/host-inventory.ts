import { parseExactJsonText } from '../../core/lib/exact-json.ts';
import { compareInt64 } from '../../core/lib/int64.ts';
import { type InventoryKind, type InventoryRecord, inventoryKinds } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';
import type { CachedRecord, InventoryCache } from './inventory-cache.ts';
import type { StoredFields } from './stored-fields.ts';

/** One inventory of one host, as the service returned it. */
export interface KnownInventory {
  /** RFC 3339, UTC. */
  readonly fetchedAt: string;
  readonly fields: StoredFields;
  /** Null: the host has no inventory. */
  readonly record: InventoryRecord | null;
}

export interface HostInventory {
  readonly id: HostId;
  /** The latest listed name; null if the host has none or was not listed. */
  readonly name: string | null;
  readonly inventory: Readonly<Partial<Record<InventoryKind, KnownInventory>>>;
}

/** All hosts with a cached record of one of these inventories, in the order of their ids. */
export function allInventories(
  cache: InventoryCache,
  kinds: readonly InventoryKind[],
): readonly HostInventory[] {
  const names = cache.names();
  const byHost = new Map<HostId, Partial<Record<InventoryKind, KnownInventory>>>();
  for (const kind of kinds) {
    for (const stored of cache.records(kind)) {
      const known = byHost.get(stored.hostId) ?? {};
      known[kind] = toInventory(stored);
      byHost.set(stored.hostId, known);
    }
  }
  return [...byHost]
    .map(([id, inventory]) => ({ id, name: names.get(id) ?? null, inventory }))
    .sort((a, b) => compareInt64(a.id, b.id));
}

/** The cached inventory of one host. */
export function hostInventory(cache: InventoryCache, id: HostId): HostInventory {
  const known = inventoryKinds.flatMap((kind) => {
    const stored = cache.record(kind, id);
    return stored === undefined ? [] : [[kind, toInventory(stored)] as const];
  });
  return { id, name: cache.names().get(id) ?? null, inventory: Object.fromEntries(known) };
}

function toInventory({ at, fields, json }: CachedRecord): KnownInventory {
  return {
    fetchedAt: new Date(at).toISOString(),
    fields,
    record: json === null ? null : (parseExactJsonText(json) as InventoryRecord),
  };
}
