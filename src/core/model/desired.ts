import type { FilePosition, Place } from '../problem/problem.ts';
import type { AssetTable } from './asset-table.ts';
import type { EntryAttribute, EntryTable } from './entry.ts';
import type { Identity } from './identity.ts';
import type { KnownDrift } from './known-drift.ts';
import type { LimitName, Limits, Policy } from './policy.ts';
import type { Rule, RuleAttribute } from './rule.ts';

/** The desired state as read from all files. */
export interface Desired extends EntryTable {
  readonly files: readonly string[];
  /** Refuse any account but this one: a decimal company ID. */
  readonly companyId?: { readonly value: string; readonly place: Place };
  readonly limits: Limits;
  /** The places of the limits that the files set. */
  readonly limitPlaces?: Readonly<Partial<Record<LimitName, Place>>>;
  /** The place of an entry or of one of its attributes, with the source line for a caret. */
  placeOf(index: number, attribute?: EntryAttribute): Place;
  /** The same without the source line, which is cheaper. */
  positionOf(index: number, attribute?: EntryAttribute): FilePosition;
  /** In evaluation order. */
  readonly rules: readonly Rule[];
  placeOfRule(index: number, attribute?: RuleAttribute): Place;
  readonly policy: Policy;
  /** Tables about hosts, such as an asset register; absent if there are none. */
  readonly tables?: readonly AssetTable[];
  /** How entries find a host by a key; absent if they don't. */
  readonly identity?: Identity;
  readonly knownDrift: readonly KnownDrift[];
}
