import type { Place, Spot } from '../problem/place.ts';
import type { EntryTable } from './entry-table.ts';
import type { GroupIntent } from './group.ts';
import type { HostId } from './host-id.ts';
import type { KnownDrift } from './known-drift.ts';
import type { Policy } from './policy.ts';
import type { Rule, RuleAttribute } from './rule.ts';

/** One item under `hosts:`. An attribute that is absent is not managed. */
export interface Entry {
  /** Its position among all entries of all files. */
  readonly index: number;
  readonly id?: HostId;
  readonly name?: string;
  /** What the host must be called now, unless it already is as the entry wants it. */
  readonly current?: string;
  readonly previously: readonly string[];
  readonly group?: GroupIntent;
  readonly antivirus: boolean;
  readonly ensure: 'present' | 'absent';
  /** RFC 3339: an absent host is deleted at this time or later. */
  readonly deleteAfter?: string;
  /** What no plan may do to this host. */
  readonly protect?: readonly ProtectedFrom[];
  /** Attributes that may differ: neither plans nor drift look at them. */
  readonly ignore?: readonly IgnoredAttribute[];
}

export const ignoredAttributes = ['name', 'group', 'antivirus'] as const;
export type IgnoredAttribute = (typeof ignoredAttributes)[number];

export const protectedFrom = ['delete', 'rename', 'move'] as const;
export type ProtectedFrom = (typeof protectedFrom)[number];

export type EntryAttribute =
  | 'id'
  | 'name'
  | 'current'
  | 'previously'
  | 'group'
  | 'antivirus'
  | 'ensure'
  | 'deleteAfter'
  | 'protect'
  | 'ignore';

/** A bound on how much one plan may do: a number of hosts, or a share of the observed fleet. */
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

/** The desired state as read from all files. */
export interface Desired extends EntryTable {
  readonly files: readonly string[];
  /** Refuse any other account: a decimal company id. */
  readonly companyId?: { readonly value: string; readonly place: Place };
  readonly limits: Limits;
  /** Where those stand that the files set. */
  readonly limitPlaces?: Readonly<Partial<Record<LimitName, Place>>>;
  /** Where an entry stands, or one of its attributes, with the source line for a caret. */
  placeOf(index: number, attribute?: EntryAttribute): Place;
  /** The same without the source line, where that is to be had for less. */
  spotOf?(index: number, attribute?: EntryAttribute): Spot;
  /** In the order in which they are tried. */
  readonly rules: readonly Rule[];
  placeOfRule(index: number, attribute?: RuleAttribute): Place;
  readonly policy: Policy;
  readonly knownDrift: readonly KnownDrift[];
}
