import { compareNaturally } from '../../core/lib/natural-order.ts';
import type { AccountReport } from '../../output/review/account-report.ts';
import type { PlansReview, PlansTotals } from '../../output/review/plans-review.ts';

export interface ReviewHead {
  /** RFC 3339. */
  readonly createdAt: string;
  readonly selector: { readonly names: readonly string[]; readonly where: string | null };
  readonly interrupted: boolean;
  /** The exit code over all accounts. */
  readonly exitCode: number;
}

/** The reports of accounts, in any order, as one review. */
export function reviewAccounts(
  reports: readonly AccountReport[],
  { createdAt, selector, interrupted, exitCode }: ReviewHead,
): PlansReview {
  const accounts = reports.toSorted((a, b) => compareNaturally(a.account.name, b.account.name));
  return {
    created_at: createdAt,
    selector: { names: [...selector.names], where: selector.where },
    interrupted,
    exit_code: exitCode,
    accounts,
    totals: sumAccounts(accounts),
  };
}

/** The sums over all accounts. An account without a plan counts only as an account, with its problems. */
export function sumAccounts(accounts: readonly AccountReport[]): PlansTotals {
  const totals: PlansTotals = {
    accounts: accounts.length,
    outcomes: { failed: 0, refused: 0, changes: 0, 'no-changes': 0 },
    hosts: 0,
    summary: {
      rename: 0,
      temporary_rename: 0,
      move: 0,
      antivirus: 0,
      refresh: 0,
      delete: 0,
      installs_in_progress: 0,
      installs_in_doubt: 0,
      unchanged: 0,
      awaiting_enrollment: 0,
      unmanaged: 0,
    },
    changed_hosts: 0,
    blocked: 0,
    calls: { planned: 0, minimum: 0 },
    problems: { error: 0, warning: 0, note: 0 },
  };
  for (const { outcome, plan, problems } of accounts) {
    totals.outcomes[outcome] += 1;
    addTo(totals.problems, problems);
    if (plan === undefined) continue;
    totals.hosts += plan.hosts;
    totals.changed_hosts += plan.changed_hosts;
    totals.blocked += plan.blocked;
    addTo(totals.summary, plan.summary);
    addTo(totals.calls, plan.calls);
  }
  return totals;
}

function addTo<T extends Record<string, number>>(sums: T, counts: { readonly [K in keyof T]: number }): void {
  for (const key of Object.keys(sums) as (keyof T)[]) (sums as Record<keyof T, number>)[key] += counts[key];
}
