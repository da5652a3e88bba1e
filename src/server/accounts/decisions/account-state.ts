import type { AccountMode } from '../../../accounts/config/account-config.ts';
import type { Subject } from '../../../api/access/grants.ts';
import type { AccountDetail, Health } from '../../../api/accounts.ts';
import { isOpenRun, type openRunStates, type PlanState, type ServerRunState } from '../../../api/states.ts';
import type { ShownPlace } from '../../../core/problem/problem.ts';
import type { LaterChecks, StoredApproval, StoredPlan } from '../../plans/decisions/stored-plan.ts';

/** Why an account can't be checked or changed. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly place?: ShownPlace;
  /** The circuit breaker is open until then. RFC 3339, UTC. */
  readonly retryAt?: string;
}

/** A failure that lasts. */
export interface StandingFailure extends Failure {
  /** RFC 3339, UTC. */
  readonly since: string;
  readonly attempts: number;
}

/** Why mode `correct` applies nothing by itself. It holds for one commit of the desired state. */
export interface AccountHold {
  /** Someone undid a run, someone stopped one, or runs failed. */
  readonly kind: NonNullable<AccountDetail['hold']>['kind'];
  /** The id of the run whose end caused it. */
  readonly run: string;
  readonly at: string;
  readonly commit: string | null;
  /** Runs in a row that failed or ended in doubt. */
  readonly runs: number;
  readonly isInDoubt: boolean;
  /** Why the run failed; empty for the other kinds. */
  readonly reason: string;
}

/** The run of an account that is queued or in progress. */
export interface OpenRun {
  readonly id: string;
  readonly plan: string | null;
  readonly state: (typeof openRunStates)[number];
}

/** A rejected plan that has not expired. */
export type Rejection = Pick<StoredPlan, 'id' | 'checksum' | 'changeDigest' | 'expiresAt' | 'terms'> & {
  /** Who rejected it. */
  readonly by: string;
};

/**
 * Everything about one account that decides what happens next. `decide` takes one, and returns commands that lead to
 * another one. It has the words of the records that the store reads, so those are states as they are.
 */
export interface AccountState {
  readonly name: string;
  /** Grows with each decision. The store writes a decision only if the version is still the one that was read. */
  readonly version: number;
  /** Null before the first check. */
  readonly health: Health | null;
  /** The commit of the last check. */
  readonly commit: string | null;
  /** The last check found differences that people ignore. Read only while the health is `paused`. */
  readonly hasIgnored: boolean;
  readonly failure: Pick<StandingFailure, 'code' | 'attempts'> | null;
  readonly hold: AccountHold | null;
  /** The plan that waits, is approved or runs. */
  readonly plan: StoredPlan | null;
  readonly rejections: readonly Rejection[];
  readonly run: OpenRun | null;
  /** When the check began that was written last, in milliseconds. */
  readonly checkBeganAt: number | null;
}

/** What the operator wants of an account at the moment of a decision. */
export interface AccountRules {
  readonly mode: AccountMode;
  readonly cadenceMs: number;
  /** Someone paused changes of the account. */
  readonly isPaused: boolean;
  /** A rollout may still change the account: its plan waits for its wave. */
  readonly isInRollout: boolean;
}

/** What a decision changes in the store. All commands of a decision are written in one transaction. */
export type StoreCommand =
  | { readonly kind: 'set-hold'; readonly hold: AccountHold | null }
  | { readonly kind: 'set-health'; readonly health: Health }
  /** Writes the result of the check, and when the next one is due, in milliseconds. */
  | {
      readonly kind: 'record-check';
      readonly health: Health;
      readonly failure: Failure | null;
      readonly commit: string | null;
      readonly nextAt: number;
    }
  /** The plan becomes the open one, and replaces the previous one. */
  | { readonly kind: 'add-plan'; readonly plan: StoredPlan }
  | {
      readonly kind: 'close-plan';
      readonly plan: string;
      readonly state: Exclude<PlanState, 'waiting' | 'approved' | 'running'>;
      readonly reason: string | null;
    }
  /** A plan that a check replaced becomes the open one again. */
  | { readonly kind: 'reopen-plan'; readonly plan: StoredPlan; readonly later: LaterChecks }
  /** What is left of a plan that people approved. */
  | { readonly kind: 'keep-plan'; readonly plan: string; readonly later: LaterChecks }
  | { readonly kind: 'shorten-plan'; readonly plan: string; readonly expiresAt: Date }
  | { readonly kind: 'add-approval'; readonly plan: string; readonly approval: StoredApproval }
  | { readonly kind: 'move-plan'; readonly plan: string; readonly state: 'approved' | 'running' }
  | { readonly kind: 'end-rejections' }
  /** Adds a run that a worker will take. `by`: null is the server. */
  | {
      readonly kind: 'add-run';
      readonly plan: string;
      readonly by: Subject | null;
      readonly reason: string | null;
      /** The calls that its plan needs. */
      readonly steps: number;
    }
  | { readonly kind: 'move-run'; readonly run: string; readonly state: ServerRunState };

/** What follows once the decision is written. */
export type QueueCommand =
  /** A worker looks at the run of the account. */
  | { readonly kind: 'queue-run' }
  | { readonly kind: 'queue-check' }
  /** The worker of the run stops it at a safe point. */
  | { readonly kind: 'stop-run'; readonly why: 'person' | 'window' };

export type Command = StoreCommand | QueueCommand;

export function isStoreCommand(command: Command): command is StoreCommand {
  return command.kind !== 'queue-run' && command.kind !== 'queue-check' && command.kind !== 'stop-run';
}

/** The state that a command leads to. The store does to its records what this does to the value. */
export function carriedOut(state: AccountState, command: Command): AccountState {
  switch (command.kind) {
    case 'set-hold':
      return { ...state, hold: command.hold };
    case 'set-health':
      return { ...state, health: command.health };
    case 'record-check': {
      const { health, failure, commit } = command;
      const attempts = (state.failure?.attempts ?? 0) + 1;
      return { ...state, health, commit, failure: failure && { code: failure.code, attempts } };
    }
    case 'add-plan':
      return { ...state, plan: command.plan };
    case 'reopen-plan':
      return {
        ...state,
        plan: { ...command.plan, state: 'waiting', replacedBy: null, later: command.later },
      };
    case 'close-plan': {
      const { plan } = state;
      if (plan?.id !== command.plan) return state;
      const isRejected = command.state === 'rejected';
      return {
        ...state,
        plan: null,
        rejections: isRejected ? [...state.rejections, toRejection(plan)] : state.rejections,
      };
    }
    case 'keep-plan':
      return withPlan(state, command.plan, { later: command.later });
    case 'shorten-plan':
      return withPlan(state, command.plan, { expiresAt: command.expiresAt });
    case 'add-approval':
      return withPlan(state, command.plan, {
        approvals: [...othersThan(command.approval, state.plan?.approvals ?? []), command.approval],
      });
    case 'move-plan':
      return withPlan(state, command.plan, { state: command.state });
    case 'end-rejections':
      return { ...state, rejections: [] };
    case 'add-run':
      return { ...state, run: { id: '', plan: command.plan, state: 'queued' } };
    case 'move-run': {
      const { run } = state;
      if (run?.id !== command.run) return state;
      const { state: to } = command;
      if (!isOpenRun(to)) return { ...state, run: null };
      return { ...state, run: { ...run, state: to } };
    }
    case 'queue-run':
    case 'queue-check':
    case 'stop-run':
      return state;
  }
}

/** Whoever has approved a plan may still reject it: the last decision of a person counts. */
function othersThan({ by }: StoredApproval, approvals: readonly StoredApproval[]): readonly StoredApproval[] {
  return approvals.filter((each) => each.by.kind !== by.kind || each.by.id !== by.id);
}

function withPlan(state: AccountState, id: string, change: Partial<StoredPlan>): AccountState {
  return state.plan?.id === id ? { ...state, plan: { ...state.plan, ...change } } : state;
}

export function toRejection(plan: StoredPlan): Rejection {
  const rejected = plan.approvals.findLast(({ decision }) => decision === 'rejected');
  return { ...plan, by: rejected?.by.name ?? 'someone' };
}
