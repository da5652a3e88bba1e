import type { Result } from '../../core/problem/result.ts';
import type { AccountRecord, ConfiguredAccount, Health } from './account-record.ts';
import type { CheckRecord, CheckWritten } from './check-record.ts';
import { notBuilt } from './not-built.ts';
import type { Page, PageRequest } from './page.ts';
import type { StoreDb } from './tables.ts';
import type { Visible } from './visible.ts';

export interface AccountQuery extends PageRequest {
  /** Part of the name. */
  readonly text?: string | undefined;
  /** Labels that the account must have. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The names that a label expression selects; the caller evaluates it. */
  readonly names?: readonly string[] | undefined;
  readonly health?: readonly Health[] | undefined;
}

/** What a tick needs to decide which accounts are due. */
export interface AccountSchedule {
  readonly name: string;
  readonly lastCheckAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly failure: AccountRecord['failure'];
}

export type Accounts = ReturnType<typeof accountsOn>;

export function accountsOn(_db: StoreDb) {
  return {
    /** Makes the accounts of the store those of the configuration. The removed ones are no longer listed. */
    sync: (
      _configured: readonly ConfiguredAccount[],
    ): Promise<{ added: readonly string[]; removed: readonly string[]; changed: readonly string[] }> =>
      notBuilt(),
    /** Worst health first, then by name. */
    list: (_query: AccountQuery): Promise<Result<Page<AccountRecord>>> => notBuilt(),
    find: (_name: string, _visible: Visible): Promise<AccountRecord | undefined> => notBuilt(),
    /** What the last check left for the page of the account. */
    detail: (_name: string, _visible: Visible): Promise<unknown> => notBuilt(),
    schedules: (): Promise<readonly AccountSchedule[]> => notBuilt(),
    /** Writes what differs from the last check, and appends an event if people see a difference. */
    recordCheck: (_check: CheckRecord): Promise<CheckWritten> => notBuilt(),
    /** Sets the health between two checks: a run began, ended in doubt, and so on. */
    setHealth: (_name: string, _health: Health): Promise<void> => notBuilt(),
    setNextCheck: (_times: ReadonlyMap<string, Date | null>): Promise<void> => notBuilt(),
  };
}
