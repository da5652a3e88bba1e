import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';

/** The progress of the harvest of one inventory. */
export interface HarvestState {
  readonly kind: InventoryKind;
  /** The number of hosts to ask at the start. */
  readonly of: number;
  /** Hosts of this list whose inventory has arrived. */
  readonly fetched: number;
  /** Hosts among these that have none. */
  readonly absent: number;
  /** Hosts among these that have not been asked yet. */
  readonly left: number;
  /** The number of reports made. */
  readonly reports: number;
  /** Milliseconds until it is done; null if unknown. */
  readonly etaMs: number | null;
}

/** The events of a harvest. Times are milliseconds. */
export type HarvestEvent =
  | ({ readonly type: 'started'; readonly fresh: number } & HarvestState)
  /** A report was made. */
  | { readonly type: 'report'; readonly kind: InventoryKind; readonly hosts: number }
  /** One page of the report is in the cache. */
  | ({ readonly type: 'page'; readonly hosts: number } & HarvestState)
  /** The hosts that an interrupted harvest left unread are read first. */
  | { readonly type: 'resumed'; readonly kind: InventoryKind; readonly hosts: number }
  /** The number of hosts that one report carries; null: no limit is known. */
  | { readonly type: 'learned'; readonly kind: InventoryKind; readonly hostsPerReport: number | null }
  /**
   * `next-report`: the next report can't be made earlier. `other-report`: a report made by someone else is still valid.
   */
  | {
      readonly type: 'waiting';
      readonly kind: InventoryKind;
      readonly ms: number;
      readonly reason: 'next-report' | 'other-report';
    }
  /** The service refuses a report with this host. */
  | { readonly type: 'refused'; readonly kind: InventoryKind; readonly hostId: HostId }
  | ({ readonly type: 'ended' } & HarvestState);
