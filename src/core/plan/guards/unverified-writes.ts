import { count } from '../../lib/words.ts';
import { type HostId, hostsOf, mayBeUnreadable, type Observed } from '../../model/observed.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import { hostList } from '../intents/host-list.ts';
import { collectTransitions, isNameOf, type Transition } from '../ordering/transition.ts';
import { hostIdsOf, type Step } from '../types/step.ts';

/** Acknowledged writes, and the lists before the first and after the last of them. */
export interface Writes {
  readonly steps: readonly Step[];
  readonly before: Observed;
  readonly after: Observed;
  /** The number of hosts in the list that the steps were planned on, if `before` is a later list. */
  readonly plannedOn?: number;
  /** Did this process delete the host by other steps than these? */
  readonly isDeletedElsewhere: (host: HostId) => boolean;
}

/**
 * Is each write verified? Returns an error for each host that the read after the writes does not show as they left it.
 * A missing host proves nothing, so every changed host must be in the list, and a deletion is proven only by a list that
 * still has all other hosts. An accepted install shows nothing about the host, and is not a subject of this question.
 */
export function unverifiedWrites(writes: Writes): readonly Problem[] {
  const { steps, after } = writes;
  const changed = [...collectTransitions(steps).values()].flatMap((each) => differencesOf(each, after));
  return [...changed, ...unprovenDeletions(writes)];
}

function differencesOf(transition: Transition, after: Observed): readonly Problem[] {
  const { expects, nameSteps, moveTo, deletes } = transition;
  const { hostId } = expects;
  const host = after.byId(hostId);
  if (deletes !== undefined) return host === undefined ? [] : [unlike(hostId, 'its deletion')];
  if (host === undefined) return [notListed(transition)];
  const last = nameSteps.at(-1);
  return [
    ...(last === undefined || isNameOf(last, host.name) ? [] : [unlike(hostId, intentOf(last))]),
    ...(moveTo === undefined || moveTo.groupId === host.groupId
      ? []
      : [unlike(hostId, intentOf(moveTo.step))]),
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

/** Deleted hosts that are missing from a list from which other hosts are missing too. */
function unprovenDeletions({
  steps,
  before,
  after,
  plannedOn,
  isDeletedElsewhere,
}: Writes): readonly Problem[] {
  const deleted = new Set(steps.filter(({ kind }) => kind === 'delete').flatMap(hostIdsOf));
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
    plannedOn !== undefined && missingBefore > 0 ? Math.max(0, plannedOn - missingBefore - before.count) : 0;
  if (missing.length + shortBy === 0) return [];
  const lack =
    missing.length > 0
      ? `the list read after the run lacks ${hostList(missing)}, which this run did not delete`
      : `the list lacks ${count(shortBy, 'host')} that existed when the plan was made and that this run did not delete`;
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

export function unlike(hostId: HostId, still: string): Problem {
  return problem('not-converged', `host ${hostId} still needs: ${still}`, {
    hint: 'someone may be editing at the same time: plan again',
    hostIds: [hostId],
  });
}

export function intentOf(step: Step): string {
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
