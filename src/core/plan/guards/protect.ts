import type { Desired } from '../../model/desired.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import type { HostDifference } from '../difference/compare.ts';
import { isOfKind } from './group-limits.ts';
import { wouldBe } from './planned-changes.ts';

/** Changes that an entry itself forbids. They are still planned and shown. */
export function protectionProblems(desired: Desired, changes: readonly HostDifference[]): readonly Problem[] {
  return changes.flatMap((change) => {
    const { entryIndex, host } = change;
    if (entryIndex === undefined || desired.isPlainAt(entryIndex)) return [];
    return (desired.at(entryIndex).protect ?? [])
      .filter((each) => isOfKind[each](change))
      .map((each) =>
        problem('protected', `"${host.name}" (${host.id}) is protected, and ${wouldBe[each]}`, {
          place: desired.placeOf(entryIndex, 'protect'),
          hint: `if you want this change, remove "${each}" from its "protect"`,
          hostIds: [host.id],
        }),
      );
  });
}
