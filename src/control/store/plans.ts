import type { Result } from '../../core/problem/result.ts';
import { notBuilt } from './not-built.ts';
import type { Page, PageRequest } from './page.ts';
import type { StoreDb, Subject } from './tables.ts';
import type { Visible } from './visible.ts';

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
}

export interface ApprovalRecord {
  readonly by: Subject;
  readonly at: Date;
  readonly decision: 'approved' | 'rejected';
  readonly numbers: Readonly<Record<string, number>>;
  readonly comment: string | null;
  readonly via: 'console' | 'api' | 'cli' | 'pull-request';
}

export interface CommentRecord {
  readonly by: Subject;
  readonly at: Date;
  readonly text: string;
}

export interface NewPlan {
  readonly account: string;
  readonly checksum: string;
  /** The plan file, as text; stored with gzip. */
  readonly document: string;
  /** What the review shows (PlanDetail of the API, without the row). */
  readonly review: unknown;
  readonly source: string;
  readonly commit: string | null;
  readonly author: string | null;
  readonly pullRequest: string | null;
  readonly expiresAt: Date;
  readonly counts: StepCounts;
  readonly changes: number;
  readonly irreversible: number;
  readonly calls: number;
  readonly required: Requirements;
  /** `waiting`, or `approved` if it needs no approval. */
  readonly state: 'waiting' | 'approved';
}

export interface PlanRecord extends Omit<NewPlan, 'document' | 'review' | 'state'> {
  readonly id: string;
  readonly state: PlanState;
  readonly reason: string | null;
  readonly replacedBy: string | null;
  readonly createdAt: Date;
  readonly approvals: readonly ApprovalRecord[];
}

export interface PlanQuery extends PageRequest {
  readonly account?: string | undefined;
  readonly states?: readonly PlanState[] | undefined;
  readonly source?: string | undefined;
  readonly pullRequest?: string | undefined;
}

export type Plans = ReturnType<typeof plansOn>;

export function plansOn(_db: StoreDb) {
  return {
    /**
     * Stores a plan as the open one of its account. An open plan with the same checksum stays and is returned; another
     * one that has not begun becomes stale. Undefined if the open plan is running.
     */
    propose: (_plan: NewPlan): Promise<{ plan: PlanRecord; isNew: boolean } | undefined> => notBuilt(),
    /** Latest first. */
    list: (_query: PlanQuery): Promise<Result<Page<PlanRecord>>> => notBuilt(),
    find: (_id: string, _visible: Visible): Promise<PlanRecord | undefined> => notBuilt(),
    review: (_id: string, _visible: Visible): Promise<unknown> => notBuilt(),
    document: (_id: string, _visible: Visible): Promise<string | undefined> => notBuilt(),
    /** The plan of the same account before this one. */
    previous: (_id: string): Promise<PlanRecord | undefined> => notBuilt(),
    /** One decision for each person: the latest counts. Only for a plan that waits, with this checksum. */
    decide: (
      _id: string,
      _checksum: string,
      _approval: Omit<ApprovalRecord, 'at'>,
    ): Promise<PlanRecord | undefined> => notBuilt(),
    comment: (_id: string, _by: Subject, _text: string): Promise<CommentRecord> => notBuilt(),
    comments: (_id: string, _visible: Visible): Promise<readonly CommentRecord[]> => notBuilt(),
    /** Moves a plan from one of the given states; undefined if it was in none of them. Appends an event. */
    move: (
      _id: string,
      _from: readonly PlanState[],
      _to: PlanState,
      _reason?: string,
    ): Promise<PlanRecord | undefined> => notBuilt(),
    /** Makes the open plan of an account stale, because the fleet or the files changed. */
    makeStale: (_account: string, _reason: string): Promise<PlanRecord | undefined> => notBuilt(),
    /** Expires the plans whose time has passed. */
    expire: (): Promise<readonly PlanRecord[]> => notBuilt(),
  };
}
