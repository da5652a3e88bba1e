import { canonicalJson } from '../../core/lib/canonical-json.ts';
import type { PlansReview } from '../../output/review/plans-review.ts';
import { planFileName } from './plan-file-name.ts';
import { sumAccounts } from './sum-accounts.ts';

/**
 * The name of the member of a review that contradicts its accounts; undefined if there is none. A checksum can't replace
 * this check: anyone who edits an index can also compute a checksum.
 */
export function disagreement({ accounts, totals }: PlansReview): string | undefined {
  const names = accounts.map(({ account }) => account.name);
  if (new Set(names).size < names.length) return 'accounts';
  if (accounts.some(({ outcome, plan }) => (outcome === 'failed') !== (plan === undefined))) return 'outcome';
  if (accounts.some(({ outcome, plan }) => plan !== undefined && plan.applicable === (outcome === 'refused')))
    return 'applicable';
  const isMisnamed = accounts.some(
    ({ account, plan }) => plan?.file !== undefined && plan.file.name !== planFileName(account.name),
  );
  if (isMisnamed) return 'file';
  return canonicalJson(sumAccounts(accounts)) === canonicalJson(totals) ? undefined : 'totals';
}
