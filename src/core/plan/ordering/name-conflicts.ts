import { count } from '../../lib/words.ts';
import type { Desired } from '../../model/desired.ts';
import { note, type Problem, problem, warning } from '../../problem/problem.ts';
import type { HostDifference } from '../difference/compare.ts';
import { placeOfClaim } from '../intents/claim.ts';
import type { NameConflict } from './name-graph.ts';
import type { Ordering } from './order.ts';

/** Names that can't be given because a live host keeps them. */
export function blockedProblems(
  desired: Desired,
  changes: readonly HostDifference[],
  ordering: Ordering,
  skipBlocked: boolean,
): readonly Problem[] {
  if (ordering.nameConflicts.length === 0) return [];
  const claims = new Map(changes.map((change) => [change.host.id, change.claims.name]));
  const nameConflicts = ordering.nameConflicts.map((conflict) => {
    const claim = claims.get(conflict.rename.host.id);
    const place = claim === undefined ? {} : { place: placeOfClaim(desired, claim, 'name') };
    return (skipBlocked ? warning : problem)('name-conflict', nameConflictMessage(conflict), {
      ...place,
      hint: `rename or delete host ${conflict.owner.id} first${skipBlocked ? '' : ', or add --skip-blocked to leave out this rename'}`,
      hostIds: [conflict.rename.host.id, conflict.owner.id],
    });
  });
  const ids = [...ordering.blocked];
  const renames = count(ids.length, 'rename');
  if (!skipBlocked) {
    return ids.length === nameConflicts.length
      ? nameConflicts
      : [...nameConflicts, note('blocked', `name conflicts block ${renames}`, { hostIds: ids })];
  }
  return [
    ...nameConflicts,
    note('blocked', `${renames} left out because of name conflicts`, { hostIds: ids }),
  ];
}

function nameConflictMessage({ rename, owner }: NameConflict): string {
  const to = `"${rename.to}"`;
  const held = owner.name === rename.to ? 'the name' : `"${owner.name}" (equal names to the service)`;
  return `"${rename.host.name}" (${rename.host.id}) can't be renamed to ${to}: host ${owner.id} keeps ${held}`;
}
