import type { Entry } from '../../model/entry.ts';
import type { HostId, ObservedHost } from '../../model/observed.ts';
import type { Problem } from '../../problem/problem.ts';
import type { HostKeys } from './fleet-facts.ts';
import type { TemporaryNames } from './temporary-names.ts';

export interface Match {
  readonly entry: Entry;
  readonly host: ObservedHost;
}

/** The host that each entry matches. */
export interface Matching {
  /** The number of matched hosts. */
  readonly count: number;
  /** In the order of entries; no host is repeated. Made on first use. */
  matches(): readonly Match[];
  /** For each entry, the index of its host in the list, or -1 if it has no host of its own. */
  hostIndexes(): Int32Array;
  /** Does every entry identify its host by id, and no two by the same id? */
  readonly isByIdsAlone: boolean;
  /** Entries with `ensure: present` that match no host. */
  readonly awaiting: readonly Entry[];
  /**
   * Present entries that pin an id, how many of those ids are missing from the list, and absent entries that pin one.
   */
  readonly pinned: { readonly entries: number; readonly missing: number; readonly absent: number };
  readonly temporary: TemporaryNames;
  /** Does an entry match this host, or may it? */
  mayBeClaimed(id: HostId): boolean;
  readonly problems: readonly Problem[];
}

export interface MatchOptions {
  readonly strict: boolean;
  /** Absent if entries have no keys, or the keys of hosts are not known. */
  readonly keys?: HostKeys | undefined;
  /** Compare no names to find a misspelled one. The caller finds it, or reports no hint. */
  readonly skipsMisspelled?: boolean;
}
