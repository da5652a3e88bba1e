import type { AccountRecord } from '../../../src/server/accounts/records/account-record.ts';
import type {
  CauseOrigin,
  CheckedDrift,
  CheckedHost,
} from '../../../src/server/accounts/records/check-record.ts';
import type { PauseRecord } from '../../../src/server/accounts/records/pauses.ts';
import type { IgnoredDrift, IgnoreRecord } from '../../../src/server/hosts/records/ignores.ts';
import type { PlanRecord } from '../../../src/server/plans/records/plan-record.ts';
import type { RunLine, ServerRun } from '../../../src/server/runs/records/runs.ts';
import type { SourceRecord } from '../../../src/server/sources/records/sources.ts';
import type { RolloutTables } from '../state/memory-rollouts.ts';
import type { NotificationRow } from './notification-records.ts';
import { createTable, type DraftTable, draftOf, type Table } from './table.ts';

/** An account without the data of its open plan and run. */
export interface AccountRow
  extends Omit<AccountRecord, 'plan' | 'run' | 'runState' | 'runWaitsFor' | 'checkBeganAt' | 'hasIgnored'> {
  readonly checkBeganAt: Date | null;
  readonly changes: number;
  readonly irreversible: number;
  readonly fleetDigest: string | null;
  readonly driftDigest: string | null;
  readonly detail: unknown;
  readonly removedAt: Date | null;
  readonly hostRows: ReadonlyMap<string, CheckedHost>;
  readonly drift: ReadonlyMap<string, CheckedDrift>;
  readonly causes: ReadonlyMap<string, AccountCause>;
}

export interface AccountCause {
  readonly kind: string;
  readonly hosts: number;
  readonly origin: CauseOrigin | null;
}

export interface PlanRow {
  readonly plan: PlanRecord;
  readonly document: string;
  readonly shape: unknown;
}

export interface RunRow {
  readonly run: ServerRun;
  readonly log: readonly RunLine[];
}

/** All that the store of a simulated cluster holds. */
export interface Tables extends RolloutTables {
  readonly accounts: Table<AccountRow>;
  readonly plans: Table<PlanRow>;
  /** The ids of the plans of an account, oldest first. */
  readonly plansOf: Table<readonly string[]>;
  /** The plan of an account that waits, is approved or runs. */
  readonly openPlans: Table<string>;
  readonly runs: Table<RunRow>;
  readonly runsOf: Table<readonly string[]>;
  readonly openRuns: Table<string>;
  readonly pauses: Table<PauseRecord>;
  /** Ignored differences, by account, host and attribute. */
  readonly ignores: Table<IgnoredDrift & Pick<IgnoreRecord, 'account' | 'until'>>;
  readonly sources: Table<SourceRecord>;
  readonly rolloutAccounts: Table<string>;
  readonly notifications: Table<NotificationRow>;
}

export interface DraftTables extends Tables {
  commit(): void;
}

export function createTables(): Tables {
  return {
    accounts: createTable(),
    plans: createTable(),
    plansOf: createTable(),
    openPlans: createTable(),
    runs: createTable(),
    runsOf: createTable(),
    openRuns: createTable(),
    pauses: createTable(),
    ignores: createTable(),
    sources: createTable(),
    rolloutAccounts: createTable(),
    rollouts: createTable(),
    rolloutPlans: createTable(),
    notifications: createTable(),
  };
}

export function draftTables(tables: Tables): DraftTables {
  const drafts = Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [name, draftOf(table as Table<unknown>)]),
  ) as unknown as Record<keyof Tables, DraftTable<unknown>>;
  return {
    ...(drafts as unknown as Tables),
    commit() {
      for (const draft of Object.values(drafts)) draft.commit();
    },
  };
}
