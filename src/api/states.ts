import type { Cause } from './accounts.ts';

/** A plan that waits for its decision, or for its run. */
const undecidedPlanStates = ['waiting', 'approved'] as const;

export const openPlanStates = [...undecidedPlanStates, 'running'] as const;

export const planStates = [...openPlanStates, 'done', 'rejected', 'stale', 'expired'] as const;
export type PlanState = (typeof planStates)[number];

/** Can the plan still be rejected, rehearsed or replaced, because no run of it has begun? */
export function hasNotBegun(state: PlanState): state is (typeof undecidedPlanStates)[number] {
  return undecidedPlanStates.some((each) => each === state);
}

/** Of a run that has not ended. */
export const openRunStates = ['queued', 'running', 'stopping'] as const;

export const endedRunStates = ['done', 'failed', 'in_doubt', 'stopped'] as const;
export type EndedRunState = (typeof endedRunStates)[number];

export const runStates = [...openRunStates, ...endedRunStates] as const;
export type ServerRunState = (typeof runStates)[number];

/** Does the run still send calls, or will it? */
export function isOpenRun(state: ServerRunState): state is (typeof openRunStates)[number] {
  return openRunStates.some((each) => each === state);
}

const endedRolloutStates = ['aborted', 'done'] as const;

export const shownRolloutStates = ['running', 'waiting', 'stopped', ...endedRolloutStates] as const;

export function isEndedRollout(state: (typeof shownRolloutStates)[number]): boolean {
  return endedRolloutStates.some((each) => each === state);
}

/** Does a cause of this kind make hosts differ from the desired state? */
export function isDriftKind(kind: Cause['kind']): boolean {
  return kind === 'file' || kind === 'fleet';
}
