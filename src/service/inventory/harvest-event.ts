import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/host-id.ts';

/** How far the harvest of one inventory is. */
export interface HarvestState {
  readonly kind: InventoryKind;
  /** Hosts that were to be asked when it began. */
  readonly of: number;
  /** Of these, hosts whose inventory has arrived. */
  readonly fetched: number;
  /** Of these, hosts that have none. */
  readonly absent: number;
  /** Of these, hosts still to be asked. */
  readonly left: number;
  /** Reports that were made. */
  readonly reports: number;
  /** Milliseconds until it is done; null if not yet known. */
  readonly etaMs: number | null;
}

/** The events of a harvest. Times are milliseconds. */
export type HarvestEvent =
  | ({ readonly type: 'started'; readonly fresh: number } & HarvestState)
  /** A report was made. */
  | { readonly type: 'report'; readonly kind: InventoryKind; readonly hosts: number }
  /** One page of it is in the cache. */
  | ({ readonly type: 'page'; readonly hosts: number } & HarvestState)
  /** What an interrupted harvest left unread is read first. */
  | { readonly type: 'resumed'; readonly kind: InventoryKind; readonly hosts: number }
  /** One report carries only so many hosts; null: no bound is known. */
  | { readonly type: 'learnt'; readonly kind: InventoryKind; readonly hostsPerReport: number | null }
  /** `next-report`: the next can't be made earlier. `other-report`: one that somebody else has made is alive. */
  | {
      readonly type: 'waiting';
      readonly kind: InventoryKind;
      readonly ms: number;
      readonly reason: 'next-report' | 'other-report';
    }
  /** The service takes no report with this host. */
  | { readonly type: 'refused'; readonly kind: InventoryKind; readonly hostId: HostId }
  | ({ readonly type: 'ended' } & HarvestState);
