import type { Desired } from '../../model/desired.ts';
import type { Entry } from '../../model/entry.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import type { HostDifference } from '../difference/compare.ts';
import { isOfKind } from './group-limits.ts';
import { wouldBe } from './planned-changes.ts';

/** Changes that an entry itself forbids. They are still planned and shown. */
export function protectionProblems(desired: Desired, changes: readonly HostDifference[]): readonly Problem[] {
  return changes.filter(isProtected).flatMap((change) => {
    const { entry, host } = change;
    return entry.protect
      .filter((each) => isOfKind[each](change))
      .map((each) =>
        problem('protected', `"${host.name}" (${host.id}) is protected, and ${wouldBe[each]}`, {
          place: desired.placeOf(entry.index, 'protect'),
          hint: `if you want this change, remove "${each}" from its "protect"`,
          hostIds: [host.id],
        }),
      );
  });
}

type ProtectedChange = HostDifference & { readonly entry: Entry & Required<Pick<Entry, 'protect'>> };

function isProtected(change: HostDifference): change is ProtectedChange {
  return change.entry?.protect !== undefined;
}
