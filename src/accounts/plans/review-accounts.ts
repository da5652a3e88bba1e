import { compareNaturally } from '../../core/lib/natural-order.ts';
import type { AccountReport } from '../../output/review/account-report.ts';
import type { PlansReview } from '../../output/review/plans-review.ts';
import { sumAccounts } from './sum-accounts.ts';

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
