import type { HostId } from '../../core/model/host-id.ts';
import { hostsOf, type Observed } from '../../core/model/observed.ts';
import { mayBeUnreadable } from '../../core/model/unreadable-host.ts';
import { hostList } from '../../core/plan/intents/host-list.ts';
import { leftTemporaryNames } from '../../core/plan/ordering/left-temporary-names.ts';
import { type Plan } from '../../core/plan/types/plan.ts';
import { hostIdsOf, type Step } from '../../core/plan/types/step.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { assess } from './assess.ts';
import { collectTransitions, isNameOf, type Transition } from './transition.ts';

/** The results of a run, and the lists before its first write and after its last one. */
export interface Evidence {
  readonly plan: Plan;
  readonly before: Observed;
  readonly after: Observed;
  /** The plan made again on `after`. A saved plan can't be made again and is compared with its own targets. */
  readonly again?: Plan;
  /** Was the plan made earlier, so that `before` was read for this run? */
  readonly isSaved: boolean;
  /** Did this process delete the host in another way than by this plan? */
  readonly isDeletedElsewhere: (host: HostId) => boolean;
}

/**
 * The differences between the run's results and a read after the last write. A run is verified if none of them is an
 * error. A missing host proves nothing, so every changed host must be in the list, and a deletion is proven only by a
 * list that still has all other hosts.
 */
export function verify(evidence: Evidence): readonly Problem[] {
  const { plan, after, again } = evidence;
  const own = [...changedHosts(plan, after), ...unprovenDeletions(evidence)];
  const named = new Set(own.flatMap(({ hostIds = [] }) => hostIds));
  const others = again === undefined ? staleHosts(plan, after) : stillPlanned(plan, again);
  return [...own, ...others.filter(({ hostIds = [] }) => !hostIds.every((id) => named.has(id)))];
}

/** Each host of the plan that is not listed with the name and the group that the plan gave it. */
function changedHosts(plan: Plan, after: Observed): readonly Problem[] {
  return [...collectTransitions(plan.steps).values()].flatMap((transition) =>
    differencesOf(transition, after),
  );
}

function differencesOf(transition: Transition, after: Observed): readonly Problem[] {
  const { expects, nameSteps, moveTo, deletes } = transition;
  const { hostId } = expects;
  const host = after.byId(hostId);
  if (deletes !== undefined) return host === undefined ? [] : [unlike(hostId, 'its deletion')];
  if (host === undefined) return [notListed(transition)];
  const last = nameSteps.at(-1);
  return [
    ...(last === undefined || isNameOf(last, host.name) ? [] : [unlike(hostId, intent(last))]),
    ...(moveTo === undefined || moveTo.groupId === host.groupId ? [] : [unlike(hostId, intent(moveTo.step))]),
  ];
}

function notListed({ expects: { hostId, name } }: Transition): Problem {
  const who = name === null ? `host ${hostId}` : `host ${hostId}, known as "${name}"`;
  return problem(
    'not-converged',
    `this run changed ${who}, but the list read after the run does not contain the host`,
    {
      hint: 'the list may be incomplete, or someone deleted the host: plan again',
      hostIds: [hostId],
    },
  );
}

/** Deleted hosts that are missing from a list which lacks other hosts too. */
function unprovenDeletions({
  plan,
  before,
  after,
  isSaved,
  isDeletedElsewhere,
}: Evidence): readonly Problem[] {
  const deleted = new Set(plan.steps.filter(({ kind }) => kind === 'delete').flatMap(hostIdsOf));
  const absent = [...deleted].filter((id) => after.byId(id) === undefined);
  if (absent.length === 0) return [];
  const hidden = absent.filter((id) => mayBeUnreadable(after, id));
  if (hidden.length > 0) {
    return hidden.map((id) =>
      problem(
        'not-converged',
        `the deletion of host ${id} is not confirmed: the list has hosts that can't be read`,
        {
          hint: 'plan again',
          hostIds: [id],
        },
      ),
    );
  }
  const missing = hostsOf(before).filter(
    ({ id }) => !deleted.has(id) && after.byId(id) === undefined && !isDeletedElsewhere(id),
  );
  const missingBefore = absent.filter((id) => before.byId(id) === undefined).length;
  const shortBy =
    isSaved && missingBefore > 0 ? Math.max(0, plan.observed.hosts - missingBefore - before.count) : 0;
  if (missing.length + shortBy === 0) return [];
  const lack =
    missing.length > 0
      ? `the list read after the run lacks ${hostList(missing)}, which this run did not delete`
      : `the list lacks ${shortBy === 1 ? '1 host' : `${shortBy} hosts`} that existed when the plan was made and that this run did not delete`;
  const hint = 'the list may be incomplete, or someone else deleted hosts: plan again';
  return [
    problem('not-converged', lack, { hint, hostIds: missing.map(({ id }) => id) }),
    ...absent.map((id) =>
      problem(
        'not-converged',
        `the deletion of host ${id} is not confirmed because that list is incomplete`,
        {
          hint,
          hostIds: [id],
        },
      ),
    ),
  ];
}

/** Hosts that someone else changed, and hosts left with a temporary name. */
function staleHosts(plan: Plan, after: Observed): readonly Problem[] {
  return [...assess(plan, after).stale, ...leftTemporaryNames(after)].map(asDifference);
}

/** The new plan must be empty, except for installs that were just requested. */
function stillPlanned(plan: Plan, again: Plan): readonly Problem[] {
  const asked = new Set(plan.steps.filter(({ kind }) => kind === 'antivirus').flatMap(hostIdsOf));
  const temporary = again.problems.filter(
    ({ code }) => code === 'temporary-name-left' || code === 'lookalike-name',
  );
  const undone = again.steps.flatMap((step) =>
    hostIdsOf(step)
      .filter((id) => step.kind !== 'refresh' && (step.kind !== 'antivirus' || !asked.has(id)))
      .map((id) => unlike(id, intent(step))),
  );
  return [...temporary.map(asDifference), ...undone];
}

function unlike(hostId: HostId, still: string): Problem {
  return problem('not-converged', `host ${hostId} still needs: ${still}`, {
    hint: 'someone may be editing at the same time: plan again',
    hostIds: [hostId],
  });
}

function intent(step: Step): string {
  switch (step.kind) {
    case 'rename':
      return `the name "${step.to}"`;
    case 'temporary-rename':
      return `the temporary name "${step.to}"`;
    case 'move':
      return step.groupName === null ? 'a move to no group' : `the group "${step.groupName}"`;
    case 'antivirus':
      return 'the anti-virus';
    case 'refresh':
      return 'a report of its anti-virus status';
    case 'delete':
      return 'its deletion';
  }
}

/** A name that only looks like a temporary one stays a warning. */
function asDifference(cause: Problem): Problem {
  return cause.code === 'lookalike-name' ? cause : { ...cause, code: 'not-converged', severity: 'error' };
}
