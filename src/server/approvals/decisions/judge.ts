import { numberProblems, readNumbers } from '../../../accounts/approvals/numbers.ts';
import type { Requirements } from '../../../accounts/approvals/requirements.ts';
import type { ApprovalDoor } from '../../../api/plans.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { ApprovablePlan, Approval, Approver, CountedApproval } from './approval.ts';
import { mayApprove, mayReject } from './may-approve.ts';

export type ApprovalDecision = 'waiting' | 'approved' | 'rejected';

/** What the approvals of one plan add up to. Approvals of another checksum, and second ones of a person, do not count. */
export function tally(
  { approvals: needed, numbers }: Requirements,
  approvals: readonly CountedApproval[],
  checksum: string,
): ApprovalDecision {
  const own = approvals.filter((each) => each.checksum === checksum);
  if (own.some(({ decision }) => decision === 'rejected')) return 'rejected';
  const people = new Set(
    own
      .filter((each) => numberProblems(numbers, each.numbers).length === 0)
      .map(({ by }) => JSON.stringify([by.kind, by.id])),
  );
  return people.size >= needed ? 'approved' : 'waiting';
}

export interface ApprovalRequest {
  readonly decision: Approval['decision'];
  /** The checksum of the plan that the person saw. */
  readonly checksum: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly comment?: string;
  readonly ticket?: string;
  readonly via: ApprovalDoor;
}

export interface DecidedPlan {
  readonly approval: Approval;
  /** The state of the plan after this approval. */
  readonly decision: ApprovalDecision;
}

/** Judges one approval or rejection. The caller adds it and changes the plan's state in one transaction. */
export function judge(
  plan: ApprovablePlan,
  approver: Approver,
  request: ApprovalRequest,
  now: string,
): Result<DecidedPlan> {
  const may =
    request.decision === 'approved' ? mayApprove(plan, approver, now) : mayReject(plan, approver, now);
  if (!may.allowed) return failed(may.problem);
  if (request.checksum !== plan.checksum) {
    return failed(
      problem('stale-plan', 'the checksum is not that of this plan, so you reviewed another plan', {
        hint: 'review this plan, then approve its checksum',
      }),
    );
  }
  const numbers = readNumbers(request.decision === 'approved' ? request.numbers : {});
  if (!numbers.ok) return numbers;
  if (request.decision === 'approved') {
    const wrong = numberProblems(plan.requirements.numbers, numbers.value);
    if (wrong.length > 0) return failed(...wrong);
  }
  const approval: Approval = {
    by: approver.subject,
    at: now,
    checksum: plan.checksum,
    decision: request.decision,
    numbers: numbers.value,
    ...(request.comment === undefined ? {} : { comment: request.comment }),
    ...(request.ticket === undefined ? {} : { ticket: request.ticket }),
    via: request.via,
  };
  return ok({
    approval,
    decision: tally(plan.requirements, [...plan.approvals, approval], plan.checksum),
  });
}
