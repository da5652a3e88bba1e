import type { InventoryKind } from '../../core/model/facts.ts';
import { harvestKind, type KindHarvest } from './harvest-kind.ts';
import type { HarvestOptions } from './harvest-options.ts';

/**
 * Fetches the inventory of any number of hosts into the cache, within the service's limits: one report at a time and
 * about one per minute, hardware and system in parallel. Each page is saved on arrival, so a harvest that ends early
 * for any reason continues next time. Throws SQLite's errors if the cache can't be used.
 */
export async function harvestInventory(options: HarvestOptions): Promise<readonly KindHarvest[]> {
  const halt = new AbortController();
  const stop = options.stop === undefined ? halt.signal : AbortSignal.any([options.stop, halt.signal]);
  const kinds = Object.keys(options.fields) as InventoryKind[];
  const harvests = await Promise.allSettled(
    kinds.map((kind) =>
      harvestKind(kind, { ...options, fields: options.fields[kind] ?? null, stop }).catch(
        (error: unknown) => {
          halt.abort();
          throw error;
        },
      ),
    ),
  );
  return harvests.map((harvest) => {
    if (harvest.status === 'rejected') throw harvest.reason;
    return harvest.value;
  });
}
