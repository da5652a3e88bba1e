import type { Entry } from '../../model/entry.ts';
import type { HostId } from '../../model/host-id.ts';
import type { ObservedHost } from '../../model/observed.ts';
import type { Problem } from '../../problem/problem.ts';
import type { TemporaryNames } from './temporary-names.ts';

export interface Match {
  readonly entry: Entry;
  readonly host: ObservedHost;
}

/** Which host each entry means. */
export interface Matching {
  /** How many entries mean a host. */
  readonly count: number;
  /** In the entries' order; no host is in it twice. Made when somebody asks. */
  matches(): readonly Match[];
  /** By the index of an entry: the index of its host in the list, or -1 for no host of its own. */
  hostIndexes(): Int32Array;
  /** Does every entry say by id which host it means, and no two the same? */
  readonly isByIdsAlone: boolean;
  /** Present entries with no host. */
  readonly awaiting: readonly Entry[];
  /** Present entries that pin an id, how many of those ids the list does not have, and absent entries that pin one. */
  readonly pinned: { readonly entries: number; readonly missing: number; readonly absent: number };
  readonly temporary: TemporaryNames;
  /** Does some entry mean this host, or may it? */
  isSpokenFor(id: HostId): boolean;
  readonly problems: readonly Problem[];
}

export interface MatchOptions {
  readonly strict: boolean;
}
