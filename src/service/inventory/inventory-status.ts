import { type InventoryKind, inventoryKinds } from '../../core/model/facts.ts';
import type { InventoryCache } from './inventory-cache.ts';
import type { StoredFields } from './stored-fields.ts';

/** The cached contents of one inventory. Times are milliseconds since the epoch; null if there are none. */
export interface InventoryStatus {
  readonly kind: InventoryKind;
  readonly known: number;
  /** Hosts without inventory. */
  readonly absent: number;
  /** Listed hosts of the account that have not been asked yet. */
  readonly unasked: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  /** The field sets that were requested, each with its number of hosts. */
  readonly fields: readonly { readonly fields: StoredFields; readonly hosts: number }[];
  /** The number of hosts that one report carries; null if no limit is known. */
  readonly hostsPerReport: number | null;
}

export function inventoryStatus(cache: InventoryCache): readonly InventoryStatus[] {
  const names = cache.names();
  return inventoryKinds.map((kind) => {
    const states = [...cache.states(kind).values()];
    const asked = new Set(states.map(({ hostId }) => hostId));
    const known = states.filter(({ isAbsent }) => !isAbsent);
    const times = states.map(({ at }) => at);
    const byFields = Map.groupBy(known, ({ fields }) => JSON.stringify(fields));
    return {
      kind,
      known: known.length,
      absent: states.length - known.length,
      unasked: [...names.keys()].filter((id) => !asked.has(id)).length,
      oldest: least(times),
      newest: least(
        times.map((time) => -time),
        -1,
      ),
      fields: [...byFields.values()].map((hosts) => ({
        fields: hosts[0]?.fields ?? null,
        hosts: hosts.length,
      })),
      hostsPerReport: cache.size(kind)?.capacity ?? null,
    };
  });
}

function least(times: readonly number[], sign: 1 | -1 = 1): number | null {
  return times.length === 0 ? null : sign * times.reduce((a, b) => Math.min(a, b));
}
