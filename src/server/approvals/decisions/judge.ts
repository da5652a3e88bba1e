import { numberProblems, readNumbers } from '../../../accounts/approvals/numbers.ts';
import type { AccountMode } from '../../../accounts/config/account-config.ts';
import { defined } from '../../../core/lib/defined.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { isUndo, type StoredApproval, type StoredPlan } from '../../plans/decisions/stored-plan.ts';
import type { ApprovablePlan, ApprovalRequest, Approver } from './approval.ts';
import { mayApprove, mayReject } from './may-approve.ts';

export type ApprovalDecision = 'waiting' | 'approved' | 'rejected';

/**
 * What the approvals of one plan add up to. Second ones of a person do not count.
 *
 * @public
 */
export function tally({ required, approvals }: Pick<StoredPlan, 'required' | 'approvals'>): ApprovalDecision {
  if (approvals.some(({ decision }) => decision === 'rejected')) return 'rejected';
  const people = new Set(
    approvals
      .filter((each) => numberProblems(required.numbers, each.numbers).length === 0)
      .map(({ by }) => JSON.stringify([by.kind, by.id])),
  );
  return people.size >= required.approvals ? 'approved' : 'waiting';
}

/**
 * Whether a plan can be applied, whatever its state says: it has the required approvals, or needs none. In mode
 * `correct` that is a plan within all limits, and in every mode a plan that changes nothing.
 */
export function isApproved(plan: StoredPlan, mode: AccountMode): boolean {
  if (plan.approvals.length === 0 && !isUndo(plan))
    return plan.changes === 0 || (mode === 'correct' && plan.required.numbers.length === 0);
  return tally(plan) === 'approved';
}

export interface DecidedPlan {
  readonly approval: StoredApproval;
  /** The state of the plan after this approval. */
  readonly decision: ApprovalDecision;
}

/**
 * Judges one approval or rejection. The caller adds it and changes the plan's state in one transaction. `now` is in
 * milliseconds.
 */
export function judge(
  plan: ApprovablePlan,
  approver: Approver,
  { decision, checksum, numbers: given, comment, ticket, via }: ApprovalRequest,
  now: number,
): Result<DecidedPlan> {
  const isApproval = decision === 'approved';
  const may = isApproval ? mayApprove(plan, approver, now) : mayReject(plan, approver, now);
  if (!may.allowed) return failed(may.problem);
  if (checksum !== plan.checksum) {
    return failed(
      problem('stale-plan', 'the checksum is not that of this plan, so you reviewed another plan', {
        hint: 'review this plan, then approve its checksum',
      }),
    );
  }
  const numbers = readNumbers(isApproval ? given : {});
  if (!numbers.ok) return numbers;
  if (isApproval) {
    const wrong = numberProblems(plan.required.numbers, numbers.value);
    if (wrong.length > 0) return failed(...wrong);
  }
  const approval: StoredApproval = {
    by: approver.subject,
    at: new Date(now),
    decision,
    numbers: numbers.value,
    comment: comment ?? null,
    ...defined({ ticket }),
    via,
  };
  return ok({ approval, decision: tally({ ...plan, approvals: [...plan.approvals, approval] }) });
}
