import type { Place } from '../problem/place.ts';
import type { ChangeWindow } from './change-window.ts';
import type { ProtectedFrom } from './entry.ts';
import type { ChangeFacts, Condition } from './expression.ts';
import type { GroupIntent } from './group.ts';
import type { Limit } from './limits.ts';

export const changeKinds = ['rename', 'move', 'antivirus', 'delete'] as const;
export type ChangeKind = ChangeFacts['kind'];

/** Hosts that no plan may change in these ways. */
export interface Protection {
  readonly name: string;
  readonly when: Condition;
  readonly from: readonly ProtectedFrom[];
  readonly message?: string;
  readonly place: Place;
}

/** A change for which the condition holds is refused (`deny`) or reported (`warn`). */
export interface ChangePolicy {
  readonly name: string;
  readonly effect: 'deny' | 'warn';
  readonly when: Condition;
  readonly message: string;
  readonly place: Place;
}

/** Changes are made only in these hours. */
export interface WindowPolicy {
  readonly name: string;
  readonly only: readonly ChangeWindow[];
  /** The kinds of change; all if absent. */
  readonly kinds?: readonly ChangeKind[];
  readonly message?: string;
  readonly place: Place;
}

/** No change at all between two times (RFC 3339), the end exclusive; an absent end is open. */
export interface Freeze {
  readonly name: string;
  readonly from?: string;
  readonly until?: string;
  readonly message?: string;
  readonly place: Place;
}

export const unmanagedWords = ['ignore', 'report', 'forbid'] as const;
export type Unmanaged = (typeof unmanagedWords)[number];

/** A policy for one group as a whole. */
export interface GroupPolicy {
  readonly group: GroupIntent;
  /** Overrides the setting for the whole fleet. */
  readonly unmanaged?: Unmanaged;
  /** A host that is in the group without a claim for it is reported, or moved to `othersTo`. */
  readonly exclusive: boolean;
  readonly othersTo?: { readonly group: GroupIntent; readonly place: Place };
  /** Limits on changes to the hosts in the group; a share is a share of these hosts. */
  readonly limits: Readonly<Partial<Record<ChangeKind, Limit>>>;
  readonly place: Place;
}

export interface Policy {
  readonly protect: readonly Protection[];
  readonly changes: readonly ChangePolicy[];
  readonly windows: readonly WindowPolicy[];
  readonly freezes: readonly Freeze[];
  readonly groups: readonly GroupPolicy[];
  /** For the whole fleet; `ignore` if absent. */
  readonly unmanaged?: { readonly what: Unmanaged; readonly place: Place };
}

export const noPolicy: Policy = { protect: [], changes: [], windows: [], freezes: [], groups: [] };
