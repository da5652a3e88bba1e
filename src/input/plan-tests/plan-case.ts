import type { PlanExpectation } from '../../core/model/plan-expectation.ts';
import type { Place } from '../../core/problem/place.ts';
import type { SourceText } from '../sources/source-text.ts';
import type { YamlNode } from '../sources/yaml-tree.ts';

/** A fleet in a file, a seed or a snapshot, or the seed as it is in the test file. */
export type FleetSource =
  | { readonly kind: 'file'; readonly path: string; readonly place: Place }
  /** The test file with all blanked out but the seed, so that places in it are right. */
  | { readonly kind: 'inline'; readonly file: string; readonly text: string };

export type DesiredSource =
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'inline'; readonly file: string; readonly text: SourceText; readonly root: YamlNode };

export type CaseAcks = Readonly<Partial<Record<'delete' | 'rename' | 'move' | 'antivirus', number>>>;

/** As the flags of `rampart plan`. */
export interface CaseOptions {
  readonly ack: CaseAcks;
  readonly strict: boolean;
  readonly deleteFirst: boolean;
  readonly skipBlocked: boolean;
}

export interface PlanCase {
  readonly name: string;
  readonly place: Place;
  readonly observed: FleetSource;
  /** Absent: the desired state of the folder, or of `-f`. */
  readonly desired?: DesiredSource;
  /** An RFC 3339 time. */
  readonly now?: string;
  readonly options: CaseOptions;
  readonly expect: PlanExpectation;
}

export interface PlanTestFile {
  readonly file: string;
  readonly cases: readonly PlanCase[];
}
