import type { AccountConfig } from '../../accounts/config/account-config.ts';
import type { DriftReport } from '../../core/plan/drift/drift.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import {
  type AccountDrift,
  accountsDriftIssue,
  type DriftIssue,
  toAccountDrift,
} from '../../forge/drift-issue.ts';
import { type ExitCode, exitOverAccounts } from '../../run/apply/exit-code.ts';
import type { Context } from '../shell/context.ts';
import { forEachAccount } from './for-each-account.ts';

export interface ComparedFleet {
  readonly code: ExitCode;
  /** Absent if the fleet could not be read. */
  readonly report?: DriftReport;
}

/** Compares the fleets of several accounts and shows the drift of all of them in one issue. */
export async function driftAccounts(
  context: Context,
  accounts: readonly AccountConfig[],
  key: string,
  {
    compare,
    put,
  }: {
    readonly compare: (own: Context) => Promise<ComparedFleet>;
    readonly put: (issue: DriftIssue) => Promise<Result<null>>;
  },
): Promise<ExitCode> {
  const found = new Map<string, AccountDrift>();
  const code = await forEachAccount(context, accounts, async (own) => {
    const { code: each, report } = await compare(own);
    const name = own.account?.name ?? '';
    found.set(name, toAccountDrift(name, each, report));
    return each;
  });
  const drifts = accounts.map(({ name }) => found.get(name) ?? toAccountDrift(name, null, undefined));
  const issue = accountsDriftIssue(drifts, key, context.io.env);
  if (issue === undefined) {
    context.log('The issue about the drift is unchanged: not every account could be compared.');
  }
  const done = issue === undefined ? ok(null) : await put(issue);
  // Nobody would learn of the drift.
  return done.ok ? code : exitOverAccounts([code, context.fail(done.problems)]);
}
