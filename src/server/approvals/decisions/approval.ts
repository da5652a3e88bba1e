import type { Subject } from '../../../api/access/grants.ts';
import type { StoredApproval, StoredPlan } from '../../plans/decisions/stored-plan.ts';

/** A stored plan, as far as an approval depends on it. */
export type ApprovablePlan = Pick<
  StoredPlan,
  | 'checksum'
  | 'state'
  | 'reason'
  | 'replacedBy'
  | 'author'
  | 'changes'
  | 'required'
  | 'expiresAt'
  | 'approvals'
>;

/** The person or program that asks. */
export interface Approver {
  readonly subject: Subject;
  readonly email: string | null;
  /** True if a role lets them approve plans of this account. */
  readonly isApprover: boolean;
}

/** What the person or program decides. */
export interface ApprovalRequest extends Pick<StoredApproval, 'decision' | 'numbers' | 'via'> {
  /** The checksum of the plan that the person saw. */
  readonly checksum: string;
  readonly comment?: string | undefined;
  /** The number of the change ticket. */
  readonly ticket?: string | undefined;
}
