import type { GroupIntent, HostId } from './ids.ts';

/** One item under `hosts:`. An attribute that is absent is not managed. */
export interface Entry {
  /** Its index among all entries of all files. */
  readonly index: number;
  readonly id?: HostId;
  readonly name?: string;
  /** The key of the host, as `Identity` reads it of hosts. */
  readonly key?: string;
  /** The name that the host must have now, unless it already has the name that the entry requests. */
  readonly current?: string;
  readonly previously: readonly string[];
  readonly group?: GroupIntent;
  readonly antivirus: boolean;
  readonly ensure: 'present' | 'absent';
  /** RFC 3339: an absent host is deleted at this time or later. */
  readonly deleteAfter?: string;
  /** The changes that no plan may make to this host. */
  readonly protect?: readonly ProtectedFrom[];
  /** Attributes that may differ: plans and drift ignore them. */
  readonly ignore?: readonly IgnoredAttribute[];
}

export const ignoredAttributes = ['name', 'group', 'antivirus'] as const;

export type IgnoredAttribute = (typeof ignoredAttributes)[number];

export const protectedFrom = ['delete', 'rename', 'move'] as const;

export type ProtectedFrom = (typeof protectedFrom)[number];

export type EntryAttribute = Exclude<keyof Entry, 'index'>;
