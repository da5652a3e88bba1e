import type { Desired } from '../model/desired.ts';
import { note, type Problem, problem, warning } from '../problem/problem.ts';
import type { HostChange } from './diff.ts';
import type { Ordering, Squat } from './order.ts';

/** Names that can't be given because a live host keeps them. */
export function blockedProblems(
  desired: Desired,
  changes: readonly HostChange[],
  ordering: Ordering,
  skipBlocked: boolean,
): readonly Problem[] {
  if (ordering.squats.length === 0) return [];
  const entryOf = new Map(changes.map((change) => [change.host.id, change.entry]));
  const squats = ordering.squats.map((squat) => {
    const entry = entryOf.get(squat.rename.host.id);
    const place = entry === undefined ? {} : { place: desired.placeOf(entry.index, 'name') };
    return (skipBlocked ? warning : problem)('squatter', squatMessage(squat), {
      ...place,
      hint: `rename or remove ${squat.holder.id} first${skipBlocked ? '' : ', or go on without it: --skip-blocked'}`,
      hostIds: [squat.rename.host.id, squat.holder.id],
    });
  });
  if (!skipBlocked) return squats;
  const ids = [...ordering.blocked];
  return [
    ...squats,
    note('blocked', `${ids.length} renames are left out, as squatters block them`, { hostIds: ids }),
  ];
}

function squatMessage({ rename, holder }: Squat): string {
  const to = `"${rename.to}"`;
  const held = holder.name === rename.to ? 'the name' : `"${holder.name}", one name to the service`;
  return `"${rename.host.name}" (${rename.host.id}) can't become ${to}: host ${holder.id} has ${held}, and keeps it`;
}
