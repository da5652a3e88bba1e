import fc from 'fast-check';
import { type PlannedAccount, reportAccount } from '../../src/accounts/plans/report-account.ts';
import { reviewAccounts } from '../../src/accounts/plans/review-accounts.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { problem } from '../../src/core/problem/problem.ts';
import type { AccountReport } from '../../src/output/review/account-report.ts';
import type { PlansReview } from '../../src/output/review/plans-review.ts';
import { givenGroups, reorganizations } from './arbitrary-fleet.ts';
import { at } from './fleet.ts';
import { givenPlan } from './plan.ts';

const service = 'https://remote.example.com';

/** An account with only a name and labels. */
export function headOf(
  name: string,
  labels: Readonly<Record<string, string>> = {},
): AccountReport['account'] {
  return { name, company_id: '1234567890', service, labels };
}

/** The report of an account with this plan, or of one that could not be planned. */
export function reportOf(name: string, plan?: Plan): AccountReport {
  return reportAccount(plannedAccount(name, plan));
}

function plannedAccount(name: string, plan: Plan | undefined): PlannedAccount {
  if (plan !== undefined) return { account: headOf(name), exitCode: 0, plan, problems: [] };
  const unreachable = problem('network', 'the service does not answer');
  return { account: headOf(name), exitCode: 1, problems: [unreachable] };
}

export function reviewOf(accounts: readonly AccountReport[]): PlansReview {
  return reviewAccounts(accounts, {
    createdAt: at,
    selector: { names: [], where: 'region == "eu"' },
    interrupted: false,
    exitCode: 0,
  });
}

/** The plans of some accounts; undefined for an account that could not be planned. */
export const arbitraryPlans: fc.Arbitrary<readonly (readonly [string, Plan | undefined])[]> = fc.uniqueArray(
  fc.tuple(
    fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/),
    fc.option(
      reorganizations.map(({ hosts, entries }) => givenPlan({ hosts, entries, groups: givenGroups })),
      { nil: undefined, freq: 4 },
    ),
  ),
  { maxLength: 6, selector: ([name]) => name },
);
