import { compareInt64 } from '../../lib/int64.ts';
import type { HostId } from '../../model/observed.ts';

/** Orders ids as integers, so that a plan does not depend on the order of any list. */
export function compareHostIds(a: HostId, b: HostId): number {
  if (a === b) return 0;
  if (a.startsWith('-') || b.startsWith('-')) return compareInt64(a, b);
  return a.length - b.length || (a < b ? -1 : 1);
}

/** Sorts by host id. Lists mostly have ids in order within one length; then no two are compared twice. */
export function sortedByHostId<T>(items: readonly T[], idOf: (item: T) => HostId): readonly T[] {
  const byLength: T[][] = [];
  for (const item of items) {
    const id = idOf(item);
    if (id.startsWith('-')) return items.toSorted((a, b) => compareHostIds(idOf(a), idOf(b)));
    (byLength[id.length] ??= []).push(item);
  }
  return byLength.flatMap((alike) => alike.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)));
}
