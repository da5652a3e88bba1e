import { sql } from 'kysely';
import type { Counts } from '../../../api/accounts.ts';
import type { PlanDetail } from '../../../api/plans.ts';
import type { PlanShape } from '../../../core/plan/plan-shape.ts';
import type { Stored } from '../../database/stored.ts';
import type { StoredApproval, StoredPlan } from '../decisions/stored-plan.ts';

export type CommentRecord = Stored<PlanDetail['comments'][number], 'at'>;

/** Digests by which a check finds out whether an equal plan exists, which the checksum does not reveal. */
export interface PlanDigests {
  /** The same for the same changes to the same hosts of the same tenant. */
  readonly changes: string;
  /** The same for plans that differ only in the lines that request their changes, or in the order of the entries. */
  readonly content: string;
}

export interface NewPlan
  extends Pick<
    StoredPlan,
    'checksum' | 'source' | 'author' | 'expiresAt' | 'changes' | 'calls' | 'required'
  > {
  /** Absent: the store makes one. */
  readonly id?: string;
  readonly account: string;
  /** Absent: only a plan with the same checksum is the same. */
  readonly digests?: PlanDigests;
  /** The plan file, as text; stored with gzip. */
  readonly document: string;
  /** Of the document. Absent or null: no signature was required. */
  readonly signature?: string | null;
  /** What it changes, as the comparison with the plans of other accounts needs it. */
  readonly shape: PlanShape;
  readonly commit: string | null;
  readonly counts: Readonly<Counts>;
  readonly irreversible: number;
  /** `waiting`, or `approved` if it needs no approval. */
  readonly state: 'waiting' | 'approved';
  /** Why it waits, though its account's policy could approve it. */
  readonly reason?: string;
}

export interface PlanRecord
  extends Omit<StoredPlan, 'terms'>,
    Pick<NewPlan, 'account' | 'commit' | 'counts' | 'irreversible'> {
  readonly signature: string | null;
  /** The page of the pull request that brought its commit. Null until the forge responds, and without a forge. */
  readonly pullRequest: string | null;
}

/** A plan as `planColumns` reads it: JSON holds no dates. */
export interface StoredPlanRow extends Omit<PlanRecord, 'approvals'> {
  readonly approvals: readonly (Omit<StoredApproval, 'at'> & { readonly at: string })[];
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
