import type { Entry } from '../../model/entry.ts';
import { foldName } from '../../model/host-name.ts';
import type { HostId, Observed, ObservedHost } from '../../model/observed.ts';

/** In shorter names, one letter is too much of them. */
const shortest = 4;
/** Nobody types longer ones, and the work grows with the square of the length. */
const longest = 64;
const mostNamed = 3;

/**
 * For entries that no host matches: the unclaimed hosts whose names differ from a name of the entry in one letter, or in two
 * neighbors that changed places, but not in digits alone. `PC-11` is another computer than `PC-12`.
 */
export function misspelledNames(
  entries: readonly Entry[],
  observed: Observed,
  isClaimed: (id: HostId) => boolean,
): ReadonlyMap<Entry, readonly ObservedHost[]> {
  const found = new Map<Entry, readonly ObservedHost[]>();
  const names = entries.flatMap((entry) =>
    [entry.name ?? '', ...entry.previously].map((each) => ({ entry, name: foldName(each) })),
  );
  const parts = names.flatMap((each) => partsOf(each.name).map((part) => ({ ...each, part })));
  const wanted = Map.groupBy(parts, ({ part }) => part);
  for (let at = 0; at < observed.count && wanted.size > 0; at += 1) {
    const name = foldName(observed.nameAt(at) ?? '');
    if (isClaimed(observed.idAt(at))) continue;
    const near = partsOf(name).flatMap((part) => wanted.get(part) ?? []);
    for (const entry of new Set(near.flatMap((each) => (isNear(each.name, name) ? [each.entry] : [])))) {
      const known = found.get(entry) ?? [];
      if (known.length < mostNamed) found.set(entry, [...known, observed.at(at)]);
    }
  }
  return found;
}

/** The name, and the name without one of its letters: names that differ in one letter have one of these in common. */
function partsOf(name: string): readonly string[] {
  if (name.length < shortest || name.length > longest) return [];
  const parts = new Set([name]);
  for (let at = 0; at < name.length; at += 1) parts.add(name.slice(0, at) + name.slice(at + 1));
  return [...parts];
}

function isNear(a: string, b: string): boolean {
  if (withoutDigits(a) === withoutDigits(b)) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === `${right[1]}${right[0]}`);
}

function withoutDigits(name: string): string {
  return name.replace(/\d+/g, '#');
}
