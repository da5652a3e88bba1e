import type { HostId } from '../model/host-id.ts';
import type { Observed } from '../model/observed.ts';
import { leftParked } from '../plan/ordering/left-parked.ts';
import { hostIdsOf, type Plan, type Step } from '../plan/plan.ts';
import { type Problem, problem } from '../problem/problem.ts';
import { assess } from './assess.ts';

/** What a fresh read shows to be still different; empty when the run converged. */
export function verify(plan: Plan, observed: Observed): readonly Problem[] {
  const { done, stale } = assess(plan, observed);
  const undone = plan.steps
    .filter((step) => step.kind !== 'antivirus' && step.kind !== 'park')
    .flatMap((step) =>
      hostIdsOf(step)
        .filter((id) => done.get(step.id)?.has(id) !== true)
        .map((id) => unlike(step, id)),
    );
  return [...stale.map(asDifference), ...undone, ...leftParked(observed).map(asDifference)];
}

/** The same by planning again: the new plan must be empty, but for installs that were asked for just now. */
export function verifyByPlan(again: Plan, asked: ReadonlySet<HostId>): readonly Problem[] {
  const parked = again.problems.filter((each) => each.code === 'left-parked').map(asDifference);
  const undone = again.steps.flatMap((step) =>
    hostIdsOf(step)
      .filter((id) => step.kind !== 'antivirus' || !asked.has(id))
      .map((id) => unlike(step, id)),
  );
  return [...parked, ...undone];
}

function unlike(step: Step, hostId: HostId): Problem {
  return problem('not-converged', `host ${hostId} still needs: ${wish(step)}`, {
    hint: 'someone may be editing at the same time: plan again',
    hostIds: [hostId],
  });
}

function wish(step: Step): string {
  switch (step.kind) {
    case 'rename':
      return `the name "${step.to}"`;
    case 'park':
      return `to step aside as "${step.to}"`;
    case 'move':
      return step.groupName === null ? 'to be in no group' : `the group "${step.groupName}"`;
    case 'antivirus':
      return 'the anti-virus';
    case 'delete':
      return 'to be deleted';
  }
}

function asDifference(cause: Problem): Problem {
  return { ...cause, code: 'not-converged', severity: 'error' };
}
