import type { Place } from '../problem/problem.ts';
import type { GroupIntent, HostId } from './observed.ts';

/** A host by its id, or by the name that it has before the plan. */
export type HostPattern =
  | { readonly kind: 'id'; readonly id: HostId }
  | { readonly kind: 'named'; readonly name: string };

/** Changes as a test names them: `any` matches every value; an absent attribute means no change. */
export interface ChangePattern {
  /** If absent, every host. */
  readonly host?: HostPattern;
  readonly rename?: { readonly to: string } | 'any';
  readonly move?: GroupIntent | 'any';
  readonly antivirus?: 'any';
  readonly delete?: 'any';
  readonly place: Place;
}

/** The name of a policy, or the code of a problem. */
export interface ProblemPattern {
  readonly word: string;
  readonly place: Place;
}

/** The counts of a plan's summary. */
export type SummaryCount =
  | 'rename'
  | 'temporaryRename'
  | 'move'
  | 'antivirus'
  | 'delete'
  | 'unchanged'
  | 'awaitingEnrollment'
  | 'unmanaged';

/** The expected properties of a plan. An absent field is not checked. */
export interface PlanExpectation {
  /** Exactly these changes. */
  readonly changes?: { readonly all: readonly ChangePattern[]; readonly place: Place };
  /** At least these changes. */
  readonly includes: readonly ChangePattern[];
  readonly never: readonly ChangePattern[];
  /** Every error, by policy or code: each must occur, and no other. */
  readonly refused?: { readonly all: readonly ProblemPattern[]; readonly place: Place };
  /** Every warning, in the same way. */
  readonly warnings?: { readonly all: readonly ProblemPattern[]; readonly place: Place };
  readonly summary: readonly { readonly name: SummaryCount; readonly count: number; readonly place: Place }[];
  /** The exit code of `rampart plan`. */
  readonly exit?: { readonly code: number; readonly place: Place };
}
