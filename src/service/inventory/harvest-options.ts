import type { Clock } from '../../core/lib/surroundings.ts';
import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';
import type { Client } from '../client/client.ts';
import type { HarvestEvent } from './harvest-event.ts';
import type { InventoryCache } from './inventory-cache.ts';
import type { StoredFields } from './stored-fields.ts';

export interface HarvestOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly cache: InventoryCache;
  readonly hosts: readonly HostId[];
  /** The fields of each inventory to harvest; null: all fields of the service. */
  readonly fields: Readonly<Partial<Record<InventoryKind, StoredFields>>>;
  /** Hosts with younger inventory are not asked again; in milliseconds. */
  readonly maxAgeMs: number;
  /**
   * Identifies this process, and whether another one is alive: a report of a dead process is taken over immediately.
   */
  readonly holder?: {
    readonly self: string;
    isAlive(holder: string): boolean;
  };
  /** The longest wait for a token or a rate limit, in milliseconds; five minutes if absent. */
  readonly maxWaitMs?: number;
  /** Makes no report after this moment, in milliseconds since the epoch. */
  readonly deadline?: number;
  /** Makes at most this many reports of each inventory. */
  readonly maxReports?: number;
  /** Ends the harvest at a safe point: a request in flight is awaited, and received data is kept. */
  readonly stop?: AbortSignal;
  readonly onEvent?: (event: HarvestEvent) => void;
}

/** The same options for one inventory. */
export interface KindOptions extends Omit<HarvestOptions, 'fields'> {
  readonly fields: StoredFields;
  readonly stop: AbortSignal;
}
