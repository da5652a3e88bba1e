import type { Tenant } from '../../database/tenant.ts';

/** Worst first. */
export const healths = [
  'failing',
  'in_doubt',
  'drifted',
  'waiting',
  'running',
  'in_progress',
  'paused',
  'ignored',
  'converged',
] as const;
export type Health = (typeof healths)[number];

/** Lists of accounts are ordered by it. An account without a check so far comes last. */
export function severityOf(health: Health | null): number {
  return health === null ? healths.length : healths.indexOf(health);
}

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
  readonly kind: 'undo' | 'stopped' | 'failed-runs';
  /** The id of the run whose end made it. */
  readonly run: string;
  readonly at: string;
  readonly commit: string | null;
  /** Runs in a row that failed or ended in doubt. */
  readonly runs: number;
  readonly isInDoubt: boolean;
  /** Why the run failed; empty for the other kinds. */
  readonly reason: string;
}

export interface AccountRecord extends Tenant {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly mode: 'observe' | 'propose' | 'correct';
  readonly source: string | null;
  /** Null before the first check. */
  readonly health: Health | null;
  readonly since: Date | null;
  readonly hosts: number | null;
  readonly drifted: number | null;
  /** The plan that waits, is approved or runs. */
  readonly plan: {
    readonly id: string;
    readonly checksum: string;
    readonly changes: number;
    readonly irreversible: number;
  } | null;
  /** The run that is queued or in progress. */
  readonly run: string | null;
  readonly commit: string | null;
  readonly lastCheckAt: Date | null;
  readonly nextCheckAt: Date | null;
  /** When the fleet was last read successfully. */
  readonly seenAt: Date | null;
  readonly failure: StandingFailure | null;
  readonly hold: AccountHold | null;
  /** Grows with each change of this record, for ETags. */
  readonly version: number;
}

export interface FoundAccount extends AccountRecord {
  /** The time of the database when the record was read. */
  readonly readAt: Date;
  /** Whether changes of any account were paused at that time. */
  readonly hasPauses: boolean;
}

/** A configured account, as `sync` takes it. */
export interface ConfiguredAccount extends Tenant {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly mode: 'observe' | 'propose' | 'correct';
  readonly source: string | null;
}
