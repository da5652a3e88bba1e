import type { Place } from '../problem/problem.ts';
import type { ChangeWindow } from './change-window.ts';
import type { ProtectedFrom } from './entry.ts';
import type { ChangeFacts, Condition } from './expression.ts';
import type { GroupIntent } from './observed.ts';

/** A limit on the changes of one plan: a number of hosts, or a share of the observed fleet. */
export type Limit =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'share'; readonly percent: number };

export type LimitName = 'delete' | 'rename' | 'move' | 'antivirus' | 'missing';

export type Limits = Readonly<Record<LimitName, Limit>>;

export const defaultLimits: Limits = {
  delete: { kind: 'share', percent: 10 },
  rename: { kind: 'share', percent: 100 },
  move: { kind: 'share', percent: 100 },
  antivirus: { kind: 'share', percent: 100 },
  missing: { kind: 'share', percent: 20 },
};

/** `10%` or `28`; undefined for anything else. */
export function parseLimit(text: string): Limit | undefined {
  const percent = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]);
  if (percent <= 100) return { kind: 'share', percent };
  const count = Number(text);
  return /^(?:0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(count) ? { kind: 'count', count } : undefined;
}

/** May all of them be meant? `allowance` is at least one, so without this rule a share would always allow one of one. */
export function allowsAll(limit: Limit, total: number): boolean {
  return limit.kind === 'count' ? limit.count >= total : limit.percent >= 100;
}

/** Checks whether so many hosts are missing from a list, or unreadable in it, that the list itself can't be trusted. */
export function isTooMany(limit: Limit, count: number, total: number): boolean {
  return count > allowance(limit, total) || (count > 0 && count >= total && !allowsAll(limit, total));
}

/** A share is rounded down, but to at least one host; a share of zero hosts is zero. */
export function allowance(limit: Limit, total: number): number {
  if (limit.kind === 'share' && limit.percent === 0) return 0;
  return limit.kind === 'count' ? limit.count : Math.max(1, shareOf(limit.percent, total));
}

/** Rounded down, but not because 0.57 is not exact in binary: 0.57% of 10,000 are 57. */
export function shareOf(percent: number, total: number): number {
  return Math.floor((percent * total) / 100 + 1e-9);
}

export const changeKinds = ['rename', 'move', 'antivirus', 'delete'] as const;
export type ChangeKind = ChangeFacts['kind'];

export function countChanges(counts: Readonly<Record<ChangeKind, number>>): number {
  return changeKinds.reduce((sum, kind) => sum + counts[kind], 0);
}

/** Neither Rampart nor the service can take back a deletion or an install. */
export const irreversibleKinds = ['delete', 'antivirus'] as const satisfies readonly ChangeKind[];
export type IrreversibleKind = (typeof irreversibleKinds)[number];

export function countIrreversible(counts: Readonly<Record<IrreversibleKind, number>>): number {
  return irreversibleKinds.reduce((sum, kind) => sum + counts[kind], 0);
}

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
