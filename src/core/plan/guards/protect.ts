import type { Desired } from '../../model/desired.ts';
import type { Entry, ProtectedFrom } from '../../model/entry.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import type { HostDifference } from '../difference/compare.ts';

const verbs: Readonly<Record<ProtectedFrom, string>> = {
  delete: 'deleted',
  rename: 'renamed',
  move: 'moved',
};

/** Changes that an entry itself forbids. They are still planned and shown. */
export function protectionProblems(desired: Desired, changes: readonly HostDifference[]): readonly Problem[] {
  return changes.filter(isProtected).flatMap((change) => {
    const { entry, host } = change;
    const asked = {
      delete: change.delete,
      rename: change.rename !== undefined,
      move: change.move !== undefined,
    };
    return entry.protect
      .filter((each) => asked[each])
      .map((each) =>
        problem('protected', `"${host.name}" (${host.id}) is protected, and would be ${verbs[each]}`, {
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
