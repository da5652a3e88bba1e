import type { Observed, UnreadableHost } from '../../core/model/observed.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

/** `checkIds` for the hosts, using the index. */
export function checkHostIds(observed: Observed): readonly Problem[] {
  return repeatedIds(observed.repeatedIds(), 'host');
}

/** The same for unreadable hosts: each may be listed once, readable or not. */
export function checkUnreadable(
  unreadable: readonly UnreadableHost[],
  observed: Observed,
): readonly Problem[] {
  const ids = unreadable.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return checkIds([...ids, ...new Set(ids.filter((id) => observed.byId(id) !== undefined))], 'host');
}

/** Ids must be unique in a list. A list that repeats one is not a base for any change. */
export function checkIds(ids: readonly string[], what: 'host' | 'group', list = 'list'): readonly Problem[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) twice.add(id);
    seen.add(id);
  }
  return repeatedIds([...twice], what, list);
}

function repeatedIds(ids: readonly string[], what: 'host' | 'group', list = 'list'): readonly Problem[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, 5).join(', ');
  return [
    problem(
      'list-inconsistent',
      `the ${list} contains ${ids.length === 1 ? `${what} ${shown}` : `${ids.length} ${what}s (${shown})`} twice`,
      {
        hint: 'the fleet may have changed during the read: try again',
        ...(what === 'host' ? { hostIds: ids } : {}),
      },
    ),
  ];
}
