import type { Result } from '../../core/problem/result.ts';
import { notBuilt } from './not-built.ts';
import type { Page, PageRequest } from './page.ts';
import type { StoreDb } from './tables.ts';
import type { Visible } from './visible.ts';

export interface HostRecord {
  readonly account: string;
  readonly hostId: string;
  readonly name: string;
  readonly group: string | null;
  readonly state: string | null;
  readonly drifted: boolean;
  /** When the fleet of its account was last read. */
  readonly seenAt: Date;
}

export interface HostFilter {
  readonly visible: Visible;
  /** Part of the name (from three characters), its beginning (below), or an exact id. */
  readonly text?: string | undefined;
  readonly id?: string | undefined;
  /** Accounts to look in: by name, or those that a label expression selects. */
  readonly accounts?: readonly string[] | undefined;
  readonly group?: string | undefined;
  readonly state?: string | undefined;
  readonly drifted?: boolean | undefined;
}

export type HostQuery = HostFilter & PageRequest;

export interface HostFacet {
  readonly value: string;
  readonly hosts: number;
}

export interface HostFacets {
  readonly accounts: readonly HostFacet[];
  readonly groups: readonly HostFacet[];
  readonly states: readonly HostFacet[];
  readonly drifted: number;
  readonly total: number;
  /** False if there are more hosts than were counted. */
  readonly isComplete: boolean;
}

export interface DriftRecord {
  readonly account: string;
  readonly hostId: string;
  readonly name: string;
  readonly attribute: 'name' | 'group' | 'antivirus' | 'presence';
  readonly desired: string | null;
  readonly last: string | null;
  readonly live: string | null;
  readonly changed: 'fleet' | 'file' | 'both';
  readonly since: Date;
  readonly cause: string;
}

export interface DriftQuery extends PageRequest {
  readonly account?: string | undefined;
  readonly cause?: string | undefined;
  readonly hostId?: string | undefined;
  readonly attribute?: string | undefined;
}

export type Hosts = ReturnType<typeof hostsOn>;

export function hostsOn(_db: StoreDb) {
  return {
    /** By name, over all accounts. */
    list: (_query: HostQuery): Promise<Result<Page<HostRecord>>> => notBuilt(),
    facets: (_filter: HostFilter): Promise<HostFacets> => notBuilt(),
    find: (
      _account: string,
      _hostId: string,
      _visible: Visible,
    ): Promise<
      | (HostRecord & { readonly facts: Readonly<Record<string, string | number | boolean | null>> })
      | undefined
    > => notBuilt(),
    /** By account, host and attribute. */
    drift: (_query: DriftQuery): Promise<Result<Page<DriftRecord>>> => notBuilt(),
  };
}
