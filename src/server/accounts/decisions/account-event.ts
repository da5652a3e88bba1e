import type { Subject } from '../../../api/access/grants.ts';
import type { Problem } from '../../../core/problem/problem.ts';
import type { ApprovalRequest, Approver } from '../../approvals/decisions/approval.ts';
import type { StoredPlan } from '../../plans/decisions/stored-plan.ts';
import type { AccountHold, Failure } from './account-state.ts';
import type { HeldEnd } from './hold.ts';

/** What a check found. */
export interface Found {
  /** Null: nothing to do. The state contains no result yet. */
  readonly plan:
    | (Omit<StoredPlan, 'state' | 'reason' | 'replacedBy' | 'later' | 'approvals'> & {
        /** A limit is exceeded. */
        readonly exceeds: boolean;
      })
    | null;
  /** An error of the plan that no approval lifts. */
  readonly blocked: { readonly why: string; readonly failure: Failure } | null;
  /** What differs from the desired state: nothing, only what people ignore, or more. */
  readonly differences: 'none' | 'ignored' | 'some';
  readonly installs: 'none' | 'in_progress' | 'in_doubt';
}

/** A check read the fleet, and planned. */
export interface CheckDone {
  readonly kind: 'check-done';
  /** When it began, in milliseconds. */
  readonly beganAt: number;
  /** The hold when it began. */
  readonly holdBefore: AccountHold | null;
  readonly commit: string | null;
  readonly author: string | null;
  readonly found: Found;
  /** Why the run of a plan could not begin until a person changes something. */
  readonly refusals: { readonly open: Failure | null; readonly found: Failure | null };
}

/** Everything that happens to an account. */
export type AccountEvent =
  | CheckDone
  | { readonly kind: 'check-failed'; readonly beganAt: number; readonly failure: Failure }
  /** Someone planned the reversal of a run. `problems`: what kept changes of the run out of the plan. */
  | { readonly kind: 'plan-made'; readonly plan: StoredPlan; readonly problems: readonly Problem[] }
  /** Someone approves or rejects a plan: the open one, or one that it replaced. */
  | {
      readonly kind: 'decided';
      readonly plan: StoredPlan;
      readonly approver: Approver;
      readonly request: ApprovalRequest;
    }
  /** A worker has the lock of the account, and asks whether the run may begin or go on. */
  | {
      readonly kind: 'run-begins';
      readonly run: string;
      /** The hosts that it would leave out. */
      readonly leftOut: readonly string[];
      /** Why its plan may not be applied now. */
      readonly refusal: Problem | null;
    }
  /** A worker looked at a queued run, which may not begin yet. */
  | { readonly kind: 'run-waits'; readonly run: string }
  /** The worker of a run looks whether it may go on. */
  | {
      readonly kind: 'run-progressed';
      readonly run: string;
      /** A window is closed, and nobody has overridden it. */
      readonly isClosed: boolean;
    }
  /** The run ended, or was refused or stopped before it began. `reason`: why its plan is stale, or what it left out. */
  | {
      readonly kind: 'run-ended';
      readonly end: HeldEnd;
      readonly reason: string | null;
      /** Its window closed, or others had already changed its hosts: the rest is left to the next plan. */
      readonly isForNextPlan: boolean;
    }
  /** The wave of the account has begun in a rollout. */
  | { readonly kind: 'turn-came'; readonly plan: string; readonly by: Subject; readonly reason: string }
  /** Someone aborted the rollout that the plan was approved for. */
  | { readonly kind: 'turn-lost'; readonly plan: string }
  | { readonly kind: 'stop-asked'; readonly run: string }
  /** Someone lets the run begin though a window is closed. */
  | { readonly kind: 'windows-overridden'; readonly run: string }
  /** Someone who may approve plans requests a new plan, whatever was undone, stopped, rejected or failed. */
  | { readonly kind: 'hold-lifted' }
  /** The source of the desired state has a new commit. */
  | { readonly kind: 'source-changed' }
  /** Differences that people ignored until now count again. */
  | { readonly kind: 'ignore-ended' }
  /** The account is no longer configured. */
  | { readonly kind: 'removed' }
  /** The configuration gives its name to another tenant, which inherits nothing. */
  | { readonly kind: 'given-away' }
  /** Someone paused changes of the account. */
  | { readonly kind: 'paused' }
  /** What held the account back ended: its last pause, by itself or because someone ended it, or its rollout. */
  | { readonly kind: 'resumed' }
  /** Time has passed. */
  | { readonly kind: 'clock' };
