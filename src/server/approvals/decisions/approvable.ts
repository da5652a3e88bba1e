import type { Requirements } from '../../../accounts/approvals/requirements.ts';
import type { AccountMode } from '../../../accounts/config/account-config.ts';
import { isUndo, type StoredPlan } from '../../plans/decisions/stored-plan.ts';
import type { ApprovablePlan } from './approval.ts';
import { tally } from './judge.ts';

/** A stored plan with the requirements that were saved with it, for `judge`. */
export function toApprovable(plan: StoredPlan): ApprovablePlan {
  const { checksum, state, reason, replacedBy, author, changes, approvals, required, expiresAt } = plan;
  const { approvals: needed, notAuthor, numbers, blocked = null, earlierAuthors = [] } = required;
  return {
    checksum,
    state,
    reason,
    replacedBy,
    author,
    changes,
    requirements: {
      approvals: needed,
      notAuthor,
      numbers: numbers as Requirements['numbers'],
      expiresAt: expiresAt.toISOString(),
      blocked,
      earlierAuthors,
    },
    approvals: approvals.map(({ by, decision, numbers }) => ({ by, decision, numbers, checksum })),
  };
}

/**
 * Whether a plan can be applied, whatever its state says: it has the required approvals, or needs none. In mode
 * `correct` that is a plan within all limits, and in every mode a plan that changes nothing.
 */
export function isApproved(plan: StoredPlan, mode: AccountMode): boolean {
  if (plan.approvals.length === 0 && !isUndo(plan))
    return plan.changes === 0 || (mode === 'correct' && plan.required.numbers.length === 0);
  const { requirements, approvals, checksum } = toApprovable(plan);
  return tally(requirements, approvals, checksum) === 'approved';
}
