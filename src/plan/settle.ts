import type { Desired } from '../model/desired.ts';
import type { HostId } from '../model/host-id.ts';
import { type Problem, problem } from '../problem/problem.ts';
import type { Diff, HostChange } from './diff.ts';

/**
 * Planning again on the state that the plan predicts must find nothing to do; what it finds would be done again
 * by every run.
 */
export function settleProblems(
  desired: Desired,
  again: Diff,
  blocked: ReadonlySet<HostId>,
  scope: { has(host: HostId): boolean },
): readonly Problem[] {
  const isBlocked = (change: HostChange) =>
    blocked.has(change.host.id) && change.move === undefined && !change.antivirus && !change.delete;
  return again.changes
    .filter((change) => scope.has(change.host.id) && !isBlocked(change))
    .map((change) => unsettled(desired, change));
}

function unsettled(desired: Desired, { entry, host, rename }: HostChange): Problem {
  const what = rename === undefined ? 'would change again' : `would be renamed again to "${rename}"`;
  return problem('not-settled', `after this plan, "${host.name}" (${host.id}) ${what}`, {
    place: desired.placeOf(entry.index),
    hint: 'pin the ids of the entries that trade names',
    hostIds: [host.id],
  });
}
