import type { PlanRow } from '../../api/plans.ts';
import { listed } from '../../core/lib/words.ts';
import { counted } from '../../output/components/numbers.ts';

/** How many other people must approve a plan that waits before it can start, if the reader approves it too. */
export function approvalsLeft({ state, required, approvals, may_approve: may }: PlanRow): number {
  if (state !== 'waiting') return 0;
  const people = new Set(
    approvals.filter(({ decision }) => decision === 'approved').map(({ by }) => `${by.kind} ${by.id}`),
  );
  return Math.max(0, required.approvals - people.size - (may.allowed ? 1 : 0));
}

/** `approved by Ada; needs 1 more approval besides yours`, of a plan that waits. */
export function approvalState(plan: PlanRow): string {
  const given = plan.approvals.flatMap(({ decision, by }) => (decision === 'approved' ? [by.name] : []));
  const left = approvalsLeft(plan);
  return [
    ...(given.length === 0 ? [] : [`approved by ${given.join(', ')}`]),
    ...(left === 0
      ? []
      : [`needs ${counted(left, 'more approval')}${plan.may_approve.allowed ? ' besides yours' : ''}`]),
  ].join('; ');
}

/** `2 approvals by members of the group "ops" or Grace Hopper, but not by the author` */
export function approversText({ required }: Pick<PlanRow, 'required'>): string {
  const named = (kind: string) =>
    required.approvers.flatMap((each) => (each.kind === kind ? [each.name] : []));
  const groups = named('group').map((name) => `"${name}"`);
  const members =
    groups.length === 0
      ? []
      : [`members of the ${groups.length === 1 ? 'group' : 'groups'} ${listed(groups, 'or')}`];
  const who =
    required.approvers.length === 0
      ? 'whoever opens the login link of the server'
      : listed([...members, ...named('person')], 'or');
  return `${counted(required.approvals, 'approval')} by ${who}${required.not_author ? ', but not by the author' : ''}`;
}
