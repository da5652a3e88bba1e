import type { AccountFacts } from '../../core/model/facts.ts';
import type { PlanExpectation } from '../../core/model/plan-expectation.ts';
import type { ChangeKind } from '../../core/model/policy.ts';
import type { Place } from '../../core/problem/problem.ts';
import type { SourceText, YamlNode } from '../sources/source-text.ts';

/** A fleet in a seed or snapshot file, or a seed inside the test file. */
export type TestFleet =
  | { readonly kind: 'file'; readonly path: string; readonly place: Place }
  /** The text of the seed, which begins in this line of the test file. */
  | { readonly kind: 'inline'; readonly file: string; readonly line: number; readonly text: string };

export type DesiredSource =
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'inline'; readonly file: string; readonly text: SourceText; readonly root: YamlNode };

export type CaseAcks = Readonly<Partial<Record<ChangeKind, number>>>;

/** Options that correspond to flags of `rampart plan`. */
export interface CaseOptions {
  readonly ack: CaseAcks;
  readonly strict: boolean;
  readonly deleteFirst: boolean;
  readonly skipBlocked: boolean;
}

/** Settings that both a case and a whole file can have. */
export interface CaseSetting {
  readonly observed?: TestFleet;
  /** Absent: the desired state in the folder, or the files given with `-f`. */
  readonly desired?: DesiredSource;
  /** An RFC 3339 time. */
  readonly now?: string;
  /** Absent: the expressions read no account. */
  readonly account?: AccountFacts;
  readonly options?: CaseOptions;
}

export interface PlanCase extends CaseSetting {
  readonly name: string;
  readonly place: Place;
  readonly observed: TestFleet;
  readonly options: CaseOptions;
  readonly expect: PlanExpectation;
}

export interface PlanTestFile {
  readonly file: string;
  readonly cases: readonly PlanCase[];
}
