import type { HostId } from '../../model/observed.ts';
import type { Diff } from '../difference/compare.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import type { Rename } from './name-graph.ts';
import { type Ordering, orderRenames } from './order.ts';

/** The renames among the changes, in order. */
export function orderChanges(difference: Diff, { observed, deleteFirst = false }: PlanInputs): Ordering {
  const renames: Rename[] = [];
  const toDelete = new Set<HostId>();
  for (const { host, rename, delete: isToBeDeleted } of difference.changes) {
    if (rename !== undefined) renames.push({ host, to: rename });
    if (isToBeDeleted) toDelete.add(host.id);
  }
  return orderRenames({
    renames,
    ownersOf: (folded) => observed.byFoldedName(folded),
    isEachFree: difference.areNamesFree,
    isOneEach: !observed.hasNamesAlike(),
    isToBeDeleted: (id) => toDelete.has(id),
    planned: { has: (folded) => difference.reservedNames().has(folded) },
    deleteFirst,
  });
}
