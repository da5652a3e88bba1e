import type { FilePosition, Place } from '../problem/problem.ts';
import type { AssetTable } from './asset-table.ts';
import {
  type Entry,
  type EntryAttribute,
  type EntryTable,
  entryTable,
  type IgnoredAttribute,
} from './entry.ts';
import type { Condition, Template } from './expression.ts';
import type { GroupIntent, HostId } from './observed.ts';
import { defaultLimits, type LimitName, type Limits, noPolicy, type Policy } from './policy.ts';

/** What to do if the host of an entry or a rule is missing and another host has its key. */
export const successorWords = ['propose', 'adopt', 'ignore'] as const;
export type SuccessorWord = (typeof successorWords)[number];

/** How hosts are identified by a key, such as a serial number, in addition to their ids and names. */
export interface Identity {
  /** The key of a host. */
  readonly key: Template;
  readonly successor: SuccessorWord;
  /** Facts that are older, in milliseconds, identify no host. */
  readonly maxAgeMs: number;
  readonly place: Place;
}

const day = 86_400_000;

export const defaultFactAgeMs = 30 * day;

/** One item under `rules:`, which sets attributes of every host that matches. An absent attribute is left to others. */
export interface Rule {
  /** Its index among all rules of all files. For each attribute, the first matching rule that sets it wins. */
  readonly index: number;
  readonly name: string;
  readonly when: Condition;
  readonly group?: GroupIntent;
  readonly rename?: Template;
  /** Renames only hosts whose key is certain, and decides who takes a name that no host has; absent to rename all. */
  readonly successor?: SuccessorWord;
  readonly antivirus: boolean;
  readonly ensure?: 'present' | 'absent';
  /** For a stage, its hosts without regard to their time offline. */
  readonly ofAnyAge?: Condition;
}

export type RuleAttribute = 'name' | 'when' | 'group' | 'rename' | 'antivirus' | 'ensure';

/** A difference that someone has reviewed and accepts for a time. */
export interface KnownDrift {
  /** By its id, or by its current or intended name. */
  readonly host: { readonly id: HostId } | { readonly name: string };
  readonly attributes: readonly IgnoredAttribute[];
  readonly reason: string;
  /** An RFC 3339 time from which the difference counts again. */
  readonly until?: string;
  readonly place: Place;
}

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

/** A desired state of entries that are in no file: all of them have this position. */
export function generatedDesired(entries: readonly Entry[], position: Place & FilePosition): Desired {
  return {
    files: [],
    limits: defaultLimits,
    ...entryTable(entries),
    placeOf: () => position,
    positionOf: () => position,
    rules: [],
    placeOfRule: () => position,
    policy: noPolicy,
    knownDrift: [],
  };
}
