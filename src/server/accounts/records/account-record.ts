import type { AccountMode } from '../../../accounts/config/account-config.ts';
import type { Health } from '../../../api/accounts.ts';
import { healths } from '../../../api/accounts.ts';
import type { Account } from '../../../core/model/account.ts';
import type { AccountHold, OpenRun, StandingFailure } from '../decisions/account-state.ts';
import type { WaitingAccounts } from '../decisions/waiting-for.ts';

/** Lists of accounts are ordered by it. An account without a check so far comes last. */
export function severityOf(health: Health | null): number {
  return health === null ? healths.length : healths.indexOf(health);
}

export interface AccountRecord extends Account {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly mode: AccountMode;
  /** Null before the first check. */
  readonly health: Health | null;
  /** The last check found differences that people ignore; false unless the health is `paused`. */
  readonly hasIgnored: boolean;
  readonly since: Date | null;
  readonly hosts: number | null;
  readonly drifted: number | null;
  /** The plan that waits, is approved or runs. */
  readonly plan: {
    readonly id: string;
    readonly checksum: string;
    readonly changes: number;
    readonly irreversible: number;
    readonly state: 'waiting' | 'approved' | 'running';
  } | null;
  /** The run that is queued or in progress. */
  readonly run: string | null;
  readonly runState: OpenRun['state'] | null;
  /** What a worker that looked at the queued run found. */
  readonly runWaitsFor: WaitingAccounts['runWaitsFor'];
  readonly commit: string | null;
  readonly lastCheckAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly failure: StandingFailure | null;
  readonly hold: AccountHold | null;
  /** When the check began that was written last. */
  readonly checkBeganAt: Date | null;
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
export interface ConfiguredAccount extends Account {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly mode: AccountMode;
}
