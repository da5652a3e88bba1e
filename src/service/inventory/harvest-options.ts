import type { Clock } from '../../core/lib/clock.ts';
import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/host-id.ts';
import type { Client } from '../client/client.ts';
import type { HarvestEvent } from './harvest-event.ts';
import type { InventoryCache } from './inventory-cache.ts';
import type { StoredFields } from './stored-fields.ts';

export interface HarvestOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly cache: InventoryCache;
  readonly hosts: readonly HostId[];
  /** The fields of each inventory to harvest; null: all that the service has. */
  readonly fields: Readonly<Partial<Record<InventoryKind, StoredFields>>>;
  /** Hosts whose inventory is younger are not asked again; milliseconds. */
  readonly maxAgeMs: number;
  /** Who this process is, and whether another one lives: a report of a dead one is taken over at once. */
  readonly holder?: {
    readonly self: string;
    isAlive(holder: string): boolean;
  };
  /** The longest wait for a token or a rate limit, in milliseconds; five minutes when absent. */
  readonly maxWaitMs?: number;
  /** Makes no report after this moment, in milliseconds since the epoch. */
  readonly deadline?: number;
  /** Makes so many reports of each inventory at most. */
  readonly maxReports?: number;
  /** Ends the harvest at a safe point: a request on its way is awaited, and what has arrived is kept. */
  readonly stop?: AbortSignal;
  readonly onEvent?: (event: HarvestEvent) => void;
}

/** The same for one of the two. */
export interface KindOptions extends Omit<HarvestOptions, 'fields'> {
  readonly fields: StoredFields;
  readonly stop: AbortSignal;
}
