import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { isApproved } from '../../approvals/decisions/judge.ts';
import { isUndo, type StoredPlan } from '../../plans/decisions/stored-plan.ts';
import type { AccountEvent } from './account-event.ts';
import type { AccountRules, AccountState, Command } from './account-state.ts';
import { type HeldEnd, holdAfter } from './hold.ts';

type Of<Kind extends AccountEvent['kind']> = Extract<AccountEvent, { readonly kind: Kind }>;

export const endedElsewhere = problem('stale-plan', 'this run has already ended');
export const stopRequested = problem('cancelled', 'this run was stopped before it began');
const checkedMeanwhile = problem('lock-lost', 'a check changed which steps the run may apply');
const tooLate = problem('stale-plan', 'the plan expired, or a newer one replaced it, before its run began', {
  hint: 'check the account again, and approve its new plan',
});
const notApproved = problem('not-approved', 'the plan does not have the approvals that it requires', {
  hint: 'check the account again, and approve its new plan',
});

/**
 * A worker has the lock and is about to send the first call. Another worker may have ended the run while this one
 * waited for the lock, someone may have stopped it, and a check may have changed what it is allowed to do.
 */
export function onRunBegins(
  { run, plan }: AccountState,
  event: Of<'run-begins'>,
  { mode }: AccountRules,
  now: number,
): Result<readonly Command[]> {
  if (run?.id !== event.run) return failed(endedElsewhere);
  // Before the windows: a run that someone stopped must not wait for one.
  if (run.state === 'stopping') return failed(stopRequested);
  if (event.refusal !== null) return failed(event.refusal);
  if (plan === null || plan.id !== run.plan || plan.state === 'waiting') return failed(tooLate);
  if (plan.state === 'approved') {
    if (plan.expiresAt.getTime() <= now) return failed(tooLate);
    if (!isApproved(plan, mode)) return failed(notApproved);
  }
  if (!leavesOut(plan, event.leftOut)) return failed(checkedMeanwhile);
  return ok([
    { kind: 'move-plan', plan: plan.id, state: 'running' },
    { kind: 'move-run', run: run.id, state: 'running' },
    { kind: 'set-health', health: 'running' },
  ]);
}

function leavesOut({ later }: StoredPlan, hosts: readonly string[]): boolean {
  const now = new Set(later?.leftOut);
  return now.size === hosts.length && hosts.every((each) => now.has(each));
}

/** Only a check shows how the account is now. */
function healthAfter({ health }: AccountState, { state }: HeldEnd): readonly Command[] {
  if (state === 'in_doubt') return [{ kind: 'set-health', health: 'in_doubt' }];
  return health === 'running' ? [{ kind: 'set-health', health: 'waiting' }] : [];
}

/**
 * The run ended: its plan is done, or stale with the rest, and its end may hold the account. A run that was refused or
 * stopped may belong to a plan that is no longer the open one.
 */
export function onRunEnded(
  state: AccountState,
  { end, reason, isForNextPlan }: Of<'run-ended'>,
): readonly Command[] {
  const isItsPlan = state.plan?.id === state.run?.plan && state.plan?.state !== 'waiting';
  const plan = isItsPlan ? state.plan : null;
  const to = end.state === 'done' ? 'done' : 'stale';
  // A rest for the next plan holds nothing, except that an undone change must not come back.
  const hold = isForNextPlan && !isUndo(plan) ? state.hold : holdAfter(state, end, isUndo(plan));
  return [
    { kind: 'move-run', run: end.run.id, state: end.state },
    ...(plan === null ? [] : [{ kind: 'close-plan', plan: plan.id, state: to, reason } as const]),
    ...healthAfter(state, end),
    ...(hold === state.hold ? [] : [{ kind: 'set-hold', hold } as const]),
    { kind: 'queue-check' },
  ];
}
