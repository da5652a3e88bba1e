import { sql } from 'kysely';
import type { Subject } from '../../database/tables.ts';
import type { Tenant } from '../../database/tenant.ts';

export type PlanState = 'waiting' | 'approved' | 'running' | 'done' | 'rejected' | 'stale' | 'expired';

export interface StepCounts {
  readonly rename: number;
  readonly move: number;
  readonly delete: number;
  readonly install: number;
  readonly refresh: number;
}

export interface Requirements {
  readonly approvals: number;
  readonly notAuthor: boolean;
  readonly numbers: readonly { readonly limit: string; readonly value: number; readonly allowed: number }[];
  /** An error of the plan that no approval lifts. */
  readonly blocked?: string | null;
  /** Who wrote the open plans that it replaced. */
  readonly earlierAuthors?: readonly string[];
}

/** What checks found after people had begun to approve a plan. */
export interface LaterChecks {
  /** Hosts that its run leaves out, because the latest check no longer found the changes of their unit. */
  readonly leftOut: readonly string[];
  /** Who wrote changes that are not in this plan, and that will be in the next one. */
  readonly authors: readonly string[];
}

export interface ApprovalRecord {
  readonly by: Subject;
  readonly at: Date;
  readonly decision: 'approved' | 'rejected';
  readonly numbers: Readonly<Record<string, number>>;
  readonly comment: string | null;
  readonly via: 'console' | 'api' | 'cli' | 'pull-request' | 'roll-out';
}

export interface CommentRecord {
  readonly by: Subject;
  readonly at: Date;
  readonly text: string;
}

/** Digests by which a check finds out whether a plan is there already that the checksum does not reveal. */
export interface PlanDigests {
  /** The same for the same changes to the same hosts of the same tenant. */
  readonly changes: string;
  /** The same for plans that differ only in the lines that request their changes, or in the order of the entries. */
  readonly content: string;
}

/** What a decision about a plan has read, so that nothing is written if it has changed since. */
export interface PlanVersion {
  readonly id: string;
  readonly state: PlanState;
  readonly approvals: readonly unknown[];
}

export interface NewPlan {
  readonly account: string;
  readonly checksum: string;
  /** Absent: only a plan with the same checksum is the same. */
  readonly digests?: PlanDigests;
  /** The plan file, as text; stored with gzip. */
  readonly document: string;
  /** What the review shows (PlanDetail of the API, without the row). */
  readonly review: unknown;
  readonly source: string;
  readonly commit: string | null;
  readonly author: string | null;
  readonly expiresAt: Date;
  readonly counts: StepCounts;
  readonly changes: number;
  readonly irreversible: number;
  readonly calls: number;
  readonly required: Requirements;
  /** `waiting`, or `approved` if it needs no approval. */
  readonly state: 'waiting' | 'approved';
  /** Why it waits, though its account's policy could approve it. */
  readonly reason?: string;
  /** When the check that made it began: it replaces no plan of a later check. */
  readonly beganAt?: Date;
  /** The open plan that the check saw, with its approvals: it replaces no other one. Absent: not compared. */
  readonly replaces?: PlanVersion | null;
  /** The tenant that it is for. An account of another one gets no such plan. Absent: not compared. */
  readonly tenant?: Tenant;
}

export interface PlanRecord
  extends Omit<NewPlan, 'digests' | 'document' | 'review' | 'state' | 'reason' | 'beganAt' | 'replaces'> {
  readonly id: string;
  readonly state: PlanState;
  readonly reason: string | null;
  readonly replacedBy: string | null;
  /** Null: no later check found another plan. */
  readonly later: LaterChecks | null;
  /** The page of the pull request that brought its commit. Null until the forge answers, and without a forge. */
  readonly pullRequest: string | null;
  readonly createdAt: Date;
  /** Oldest first. */
  readonly approvals: readonly ApprovalRecord[];
}

/** The beginning of the source of a plan that reverses a run. */
export const undoSource = 'undo of run ';

/** The reversal of a run differs from the desired state on purpose. */
export function isUndo(plan: Pick<PlanRecord, 'source'> | undefined): boolean {
  return plan?.source.startsWith(undoSource) === true;
}

/** A plan as `planColumns` reads it: JSON holds no dates. */
export interface PlanRow extends Omit<PlanRecord, 'approvals'> {
  readonly approvals: readonly (Omit<ApprovalRecord, 'at'> & { readonly at: string })[];
}

export const planColumns = sql`plan.id, plan.account, plan.checksum, plan.state, plan.reason,
  plan.replaced_by as "replacedBy", plan.later, plan.source, plan.commit, plan.author, plan.pull_request as "pullRequest",
  plan.created_at as "createdAt", plan.expires_at as "expiresAt", plan.counts, plan.changes, plan.irreversible,
  plan.calls, plan.required, (
    select coalesce(jsonb_agg(jsonb_build_object('by', subject, 'at', at, 'decision', decision, 'numbers', numbers,
      'comment', comment, 'via', via) order by at, subject_key), '[]')
    from rampart_server.approval where approval.plan = plan.id
  ) as approvals`;

export function toPlan({ approvals, ...plan }: PlanRow): PlanRecord {
  return { ...plan, approvals: approvals.map(({ at, ...approval }) => ({ ...approval, at: new Date(at) })) };
}
