import { sql } from 'kysely';
import type { Subject } from '../../../api/access/grants.ts';
import type { Counts } from '../../../api/accounts.ts';
import type { PlanState } from '../../../api/plans.ts';
import type { PlanShape } from '../../../core/plan/plan-shape.ts';
import type { LaterChecks, StoredApproval, StoredRequirements } from '../decisions/stored-plan.ts';

export type StepCounts = Readonly<Counts>;

export type ApprovalRecord = StoredApproval;

export interface CommentRecord {
  readonly by: Subject;
  readonly at: Date;
  readonly text: string;
}

/** Digests by which a check finds out whether an equal plan exists, which the checksum does not reveal. */
export interface PlanDigests {
  /** The same for the same changes to the same hosts of the same tenant. */
  readonly changes: string;
  /** The same for plans that differ only in the lines that request their changes, or in the order of the entries. */
  readonly content: string;
}

export interface NewPlan {
  /** Absent: the store makes one. */
  readonly id?: string;
  readonly account: string;
  readonly checksum: string;
  /** Absent: only a plan with the same checksum is the same. */
  readonly digests?: PlanDigests;
  /** The plan file, as text; stored with gzip. */
  readonly document: string;
  /** Of the document. Absent or null: no signature was required. */
  readonly signature?: string | null;
  /** What it changes, as the comparison with the plans of other accounts needs it. */
  readonly shape: PlanShape;
  readonly source: string;
  readonly commit: string | null;
  readonly author: string | null;
  readonly expiresAt: Date;
  readonly counts: StepCounts;
  readonly changes: number;
  readonly irreversible: number;
  readonly calls: number;
  readonly required: StoredRequirements;
  /** `waiting`, or `approved` if it needs no approval. */
  readonly state: 'waiting' | 'approved';
  /** Why it waits, though its account's policy could approve it. */
  readonly reason?: string;
}

export interface PlanRecord
  extends Omit<NewPlan, 'id' | 'digests' | 'document' | 'signature' | 'shape' | 'state' | 'reason'> {
  readonly id: string;
  readonly changeDigest: string | null;
  readonly contentDigest: string | null;
  readonly signature: string | null;
  readonly state: PlanState;
  readonly reason: string | null;
  readonly replacedBy: string | null;
  /** Null: no later check found another plan. */
  readonly later: LaterChecks | null;
  /** The page of the pull request that brought its commit. Null until the forge responds, and without a forge. */
  readonly pullRequest: string | null;
  readonly createdAt: Date;
  /** Oldest first. */
  readonly approvals: readonly ApprovalRecord[];
}

/** A plan as `planColumns` reads it: JSON holds no dates. */
export interface StoredPlanRow extends Omit<PlanRecord, 'approvals'> {
  readonly approvals: readonly (Omit<ApprovalRecord, 'at'> & { readonly at: string })[];
}

export const planColumns = sql`plan.id, plan.account, plan.checksum, plan.change_digest as "changeDigest",
  plan.content_digest as "contentDigest", plan.signature,
  plan.state, plan.reason,
  plan.replaced_by as "replacedBy", plan.later, plan.source, plan.commit, plan.author, plan.pull_request as "pullRequest",
  plan.created_at as "createdAt", plan.expires_at as "expiresAt", plan.counts, plan.changes, plan.irreversible,
  plan.calls, plan.required, (
    select coalesce(jsonb_agg(jsonb_build_object('by', subject, 'at', at, 'decision', decision, 'numbers', numbers,
      'comment', comment, 'ticket', ticket, 'via', via) order by at, subject_key), '[]')
    from rampart_server.approval where approval.plan = plan.id
  ) as approvals`;

export function toPlan({ approvals, ...plan }: StoredPlanRow): PlanRecord {
  return { ...plan, approvals: approvals.map(({ at, ...approval }) => ({ ...approval, at: new Date(at) })) };
}
