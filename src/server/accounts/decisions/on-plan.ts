import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import { judge } from '../../approvals/decisions/judge.ts';
import { keptUnits } from '../../plans/decisions/kept-units.ts';
import {
  isUndo,
  type LaterChecks,
  type StoredApproval,
  type StoredPlan,
} from '../../plans/decisions/stored-plan.ts';
import type { AccountEvent } from './account-event.ts';
import type { AccountState, Command } from './account-state.ts';

type Of<Kind extends AccountEvent['kind']> = Extract<AccountEvent, { readonly kind: Kind }>;

/** Someone planned the reversal of a run. It replaces the open plan, and waits for approval in every mode. */
export function onPlanMade(
  { plan: open }: AccountState,
  { plan, problems }: Of<'plan-made'>,
): Result<readonly Command[]> {
  if (plan.changes === 0) return failed(problem('usage', 'no change of this run can be undone'), ...problems);
  if (open?.state === 'running')
    return failed(
      problem('lock-held', 'a plan of this account is running', { hint: 'try again after that run' }),
    );
  return ok([{ kind: 'add-plan', plan }]);
}

/**
 * Someone approves or rejects a plan. The approval that completes it starts its run. An approval of a plan that a check
 * replaced is for the changes that the open plan has too.
 */
export function onDecided(
  state: AccountState,
  { plan, approver, request }: Of<'decided'>,
  now: number,
): Result<readonly Command[]> {
  const judged = judge(plan, approver, request, now);
  if (!judged.ok) return judged;
  const { approval, decision } = judged.value;
  const reopened = plan.id === state.plan?.id ? [] : reopening(state, plan);
  if (reopened === undefined) return failed(nothingLeft(plan));
  const add: Command = { kind: 'add-approval', plan: plan.id, approval };
  switch (decision) {
    case 'waiting':
      return ok([...reopened, add]);
    case 'approved':
      return ok([
        ...reopened,
        add,
        { kind: 'move-plan', plan: plan.id, state: 'approved' },
        ...runOf(state, plan, approval),
      ]);
    case 'rejected':
      return ok([
        ...reopened,
        add,
        { kind: 'close-plan', plan: plan.id, state: 'rejected', reason: approval.comment },
        // Until a check, the account would seem to wait, although nobody has to do anything with its plan anymore.
        { kind: 'queue-check' },
      ]);
  }
}

/** A plan that a rollout approves waits for its wave. If the account has an open run, its own run begins after that. */
function runOf(
  { run }: AccountState,
  { id, calls }: StoredPlan,
  { via, by, comment }: StoredApproval,
): readonly Command[] {
  if (via === 'rollout' || run !== null) return [];
  return [{ kind: 'add-run', plan: id, by, reason: comment, steps: calls }, { kind: 'queue-run' }];
}

/**
 * Makes a plan that a check replaced the open one again. Undefined if the open plan has none of its changes, if their
 * approval would no longer be enough, or if someone has approved the open plan.
 */
function reopening({ plan: open }: AccountState, plan: StoredPlan): readonly Command[] | undefined {
  if (open?.state !== 'waiting' || open.approvals.length > 0 || isUndo(open) || isUndo(plan))
    return undefined;
  if (plan.state !== 'stale' || plan.terms === undefined || open.terms === undefined) return undefined;
  const kept = keptUnits(
    { terms: plan.terms, required: plan.required },
    { terms: open.terms, required: open.required },
  );
  if (kept === undefined) return undefined;
  const authors = new Set([
    ...(plan.later?.authors ?? []),
    ...(open.required.earlierAuthors ?? []),
    ...(open.author === null ? [] : [open.author]),
  ]);
  const later: LaterChecks = { leftOut: kept.leftOut, authors: kept.hasMore ? [...authors] : [] };
  const reason = 'someone approved the plan before it; the next check plans what that one does not have';
  return [
    { kind: 'close-plan', plan: open.id, state: 'stale', reason },
    { kind: 'reopen-plan', plan, later },
  ];
}

function nothingLeft({ replacedBy }: StoredPlan) {
  return problem('stale-plan', 'the latest check found none of these changes, or requires more approvals', {
    hint: replacedBy === null ? 'wait for the next check' : `review the newer plan ${replacedBy}`,
  });
}

/** A rollout lets the run of its approved plan begin. */
export function onTurnCame(
  { plan, run }: AccountState,
  { plan: id, by, reason }: Of<'turn-came'>,
): readonly Command[] {
  if (run !== null || plan?.id !== id || plan.state !== 'approved') return [];
  return [{ kind: 'add-run', plan: id, by, reason, steps: plan.calls }, { kind: 'queue-run' }];
}

/** Nobody would apply a plan that was approved for a rollout, and the next check makes another one. */
export function onTurnLost({ plan, run }: AccountState, { plan: id }: Of<'turn-lost'>): readonly Command[] {
  if (run !== null || plan?.id !== id || plan.approvals.at(-1)?.via !== 'rollout') return [];
  return [
    { kind: 'close-plan', plan: id, state: 'stale', reason: 'its rollout was aborted before its turn' },
    { kind: 'queue-check' },
  ];
}
