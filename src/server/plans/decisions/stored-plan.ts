import type { Requirements } from '../../../accounts/approvals/requirements.ts';
import type { Subject } from '../../../api/access/grants.ts';
import type { ApprovalDoor } from '../../../api/plans.ts';
import { type PlanState } from '../../../api/states.ts';
import type { PlanTerms } from './kept-units.ts';

/** What a plan required of its approvals when it was stored. */
export interface StoredRequirements extends Omit<Requirements, 'expiresAt' | 'blocked'> {
  readonly blocked?: Requirements['blocked'];
}

/** What checks found after people had begun to approve a plan. */
export interface LaterChecks {
  /** Hosts that its run leaves out, because the latest check no longer found the changes of their unit. */
  readonly leftOut: readonly string[];
  /** Who wrote changes that are not in this plan, and that will be in the next one. */
  readonly authors: readonly string[];
}

/** One person's decision about a plan. */
export interface StoredApproval {
  readonly by: Subject;
  readonly at: Date;
  readonly decision: 'approved' | 'rejected';
  readonly numbers: Readonly<Record<string, number>>;
  readonly comment: string | null;
  /** The number of the change ticket. */
  readonly ticket?: string | null;
  readonly via: ApprovalDoor;
}

/** A plan of the store, as far as decisions depend on it. */
export interface StoredPlan {
  readonly id: string;
  readonly checksum: string;
  /** The same for the same changes to the same hosts. Null: only the checksum compares. */
  readonly changeDigest: string | null;
  /** The same for plans that differ only in lines and order. */
  readonly contentDigest: string | null;
  readonly state: PlanState;
  /** Why it waits, was closed, or is kept. */
  readonly reason: string | null;
  readonly replacedBy: string | null;
  readonly source: string;
  readonly author: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Hosts that it changes; 0: it only asks hosts to report their status. */
  readonly changes: number;
  /** The calls that its run needs. */
  readonly calls: number;
  readonly required: StoredRequirements;
  readonly later: LaterChecks | null;
  /** Oldest first. */
  readonly approvals: readonly StoredApproval[];
  /** Its units with their effects. Absent unless a decision needs them. */
  readonly terms?: PlanTerms;
}

/** The beginning of the source of a plan that reverses a run. */
export const undoSource = 'undo of run ';

/** The reversal of a run differs from the desired state on purpose. */
export function isUndo(plan: Pick<StoredPlan, 'source'> | null | undefined): boolean {
  return plan?.source.startsWith(undoSource) === true;
}
