import type { Requirements } from '../../../accounts/approvals/requirements.ts';
import type { Subject } from '../../../api/access/grants.ts';
import type { ApprovalDoor, PlanState } from '../../../api/plans.ts';

/** One person's decision about one plan. Only the checksum that the person saw is approved. */
export interface Approval {
  readonly by: Subject;
  /** An RFC 3339 time. */
  readonly at: string;
  readonly checksum: string;
  readonly decision: 'approved' | 'rejected';
  readonly numbers: Readonly<Record<string, number>>;
  readonly comment?: string;
  readonly ticket?: string;
  readonly via: ApprovalDoor;
}

/** An approval, as far as others depend on it. */
export type CountedApproval = Pick<Approval, 'by' | 'checksum' | 'decision' | 'numbers'>;

/** A stored plan, as far as an approval depends on it. */
export interface ApprovablePlan {
  readonly checksum: string;
  readonly state: PlanState;
  /** Why it is stale, expired or rejected. */
  readonly reason: string | null;
  readonly replacedBy: string | null;
  /** Who wrote the commit, such as `Jane Doe <jane@example.com>`; null for a folder. */
  readonly author: string | null;
  /** Hosts that it changes. */
  readonly changes: number;
  readonly requirements: Requirements;
  readonly approvals: readonly CountedApproval[];
}

/** The person or program that asks. */
export interface Approver {
  readonly subject: Subject;
  readonly email: string | null;
  /** True if a role lets them approve plans of this account. */
  readonly isApprover: boolean;
}
