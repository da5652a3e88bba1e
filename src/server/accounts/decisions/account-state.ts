import type { AccountMode } from '../../../accounts/config/account-config.ts';
import type { AccountDetail, Health } from '../../../api/accounts.ts';
import type { openRunStates } from '../../../api/runs.ts';
import type { StoredPlan } from '../../plans/decisions/stored-plan.ts';

export interface SourcePosition {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Why an account can't be checked or changed. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly place?: SourcePosition;
  /** The circuit breaker is open until then. RFC 3339, UTC. */
  readonly retryAt?: string;
}

/** A failure that lasts. */
export interface StandingFailure extends Failure {
  /** RFC 3339, UTC. */
  readonly since: string;
  readonly attempts: number;
}

/** Why mode `correct` applies nothing by itself. It holds for one commit of the desired state. */
export interface AccountHold {
  /** Someone undid a run, someone stopped one, or runs failed. */
  readonly kind: NonNullable<AccountDetail['hold']>['kind'];
  /** The id of the run whose end caused it. */
  readonly run: string;
  readonly at: string;
  readonly commit: string | null;
  /** Runs in a row that failed or ended in doubt. */
  readonly runs: number;
  readonly isInDoubt: boolean;
  /** Why the run failed; empty for the other kinds. */
  readonly reason: string;
}

/** The run of an account that is queued or in progress. */
export interface OpenRun {
  readonly id: string;
  readonly plan: string | null;
  readonly state: (typeof openRunStates)[number];
  /** What a worker that looked at the queued run found; null if no worker has looked at it. */
  readonly waitsFor: 'window' | 'pause' | null;
}

/** A rejected plan that has not expired. */
export type Rejection = Pick<StoredPlan, 'id' | 'checksum' | 'changeDigest' | 'expiresAt' | 'terms'> & {
  /** Who rejected it. */
  readonly by: string;
};

/**
 * Everything about one account that decides what happens next. `decide` takes one, and returns commands that lead to
 * another one. It has the words of the records that the store reads, so those are states as they are.
 */
export interface AccountState {
  readonly name: string;
  /** Grows with each decision. The store writes a decision only if the version is still the one that was read. */
  readonly version: number;
  /** Null before the first check. */
  readonly health: Health | null;
  /** The commit of the last check. */
  readonly commit: string | null;
  /** The last check found differences that people ignore. Read only while the health is `paused`. */
  readonly hasIgnored: boolean;
  readonly failure: Pick<StandingFailure, 'code' | 'attempts'> | null;
  readonly hold: AccountHold | null;
  /** The plan that waits, is approved or runs. */
  readonly plan: StoredPlan | null;
  readonly rejections: readonly Rejection[];
  readonly run: OpenRun | null;
  /** When the check began that was written last, in milliseconds. */
  readonly checkBeganAt: number | null;
}

/** What the operator wants of an account at the moment of a decision. */
export interface AccountRules {
  readonly mode: AccountMode;
  readonly cadenceMs: number;
  /** Someone paused changes of the account. */
  readonly isPaused: boolean;
  /** A rollout may still change the account: its plan waits for its wave. */
  readonly isInRollout: boolean;
}
