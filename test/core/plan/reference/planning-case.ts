import type { Limit } from '../../../../src/core/model/limits.ts';
import type { ChangeKind } from '../../../../src/core/model/policy.ts';
import type { GivenEntry } from '../../../given/desired.ts';
import type { GivenHost } from '../../../given/fleet.ts';

/** A test that a rule makes of a host. */
export type Test =
  | { readonly kind: 'is'; readonly of: TextFact; readonly text: string }
  | { readonly kind: 'startsWith'; readonly of: TextFact; readonly text: string }
  | { readonly kind: 'flag'; readonly of: 'online' | 'installed' }
  | { readonly kind: 'has'; readonly of: TextFact }
  /** In its state for longer than so many days. */
  | { readonly kind: 'aged'; readonly days: number }
  /** Fails for names of this length. */
  | { readonly kind: 'fragile'; readonly length: number }
  | { readonly kind: 'not'; readonly of: Test }
  | { readonly kind: 'and' | 'or'; readonly left: Test; readonly right: Test };

/** `tag` and `site` are columns of the table. */
export type TextFact = 'name' | 'group' | 'tag' | 'site';

/** A part of a new name: a text as it is, or a fact. */
export type NamePart = { readonly text: string } | { readonly of: TextFact };

export type GroupGiven = string | { readonly id: string } | null;

export interface RuleGiven {
  readonly when: Test;
  readonly rename?: readonly NamePart[];
  readonly group?: GroupGiven;
  readonly antivirus?: true;
  readonly ensure?: 'present' | 'absent';
}

export interface RowGiven {
  readonly key?: string;
  readonly tag?: string;
  readonly site?: string;
}

export interface RequestGiven {
  readonly id: string;
  readonly state: 'accepted' | 'in-doubt';
  /** Hours since the host was asked to report; absent if it was not. */
  readonly refreshed?: number;
}

/** A desired state, a fleet and the options of one plan, as plain data. */
export interface PlanningCase {
  readonly hosts: readonly (GivenHost & { readonly id: string; readonly group: string })[];
  /** Names by id. Two groups may have one name. */
  readonly groups: Readonly<Record<string, string>>;
  readonly entries: readonly (GivenEntry & { readonly id?: string; readonly group?: GroupGiven })[];
  readonly rules: readonly RuleGiven[];
  /** A table of hosts, by their name or by their id. */
  readonly table?: { readonly join: 'name' | 'id'; readonly rows: readonly RowGiven[] };
  readonly requests: readonly RequestGiven[];
  readonly limits: Partial<Record<ChangeKind, Limit>>;
  readonly acks: Partial<Record<ChangeKind, number>>;
  readonly deleteFirst: boolean;
  readonly skipBlocked: boolean;
  readonly strict: boolean;
  readonly batchSize: number;
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
}

export type Host = PlanningCase['hosts'][number];
export type Entry = PlanningCase['entries'][number];

/** Where the parts of a case stand in its only file. */
export const lineOf = {
  entry: (index: number) => index + 1,
  rule: (index: number) => 1000 + index,
  row: (index: number) => 2000 + index,
  table: 3000,
} as const;
