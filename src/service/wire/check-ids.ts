import { areSurelyDistinct } from '../../core/columns/are-distinct.ts';
import type { Observed } from '../../core/model/observed.ts';
import type { UnreadableHost } from '../../core/model/unreadable-host.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

/** `checkIds` of the hosts, by the index that finds them. */
export function checkHostIds(observed: Observed): readonly Problem[] {
  return repeatedIds(observed.repeatedIds(), 'host');
}

/** The same of hosts that can't be read: each may be there once, readable or not. */
export function checkUnreadable(
  unreadable: readonly UnreadableHost[],
  observed: Observed,
): readonly Problem[] {
  const ids = unreadable.flatMap(({ id }) => (id === undefined ? [] : [id]));
  return checkIds([...ids, ...new Set(ids.filter((id) => observed.byId(id) !== undefined))], 'host');
}

/** What a list can't truthfully say: an id twice. A list that does is not a base for any change. */
export function checkIds(ids: readonly string[], what: 'host' | 'group'): readonly Problem[] {
  if (areSurelyDistinct(ids)) return [];
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) twice.add(id);
    seen.add(id);
  }
  return repeatedIds([...twice], what);
}

function repeatedIds(ids: readonly string[], what: 'host' | 'group'): readonly Problem[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, 5).join(', ');
  return [
    problem(
      'list-inconsistent',
      `the list names ${ids.length === 1 ? `${what} ${shown}` : `${ids.length} ${what}s (${shown})`} twice`,
      {
        hint: 'the fleet may have changed during the read: try again',
        ...(what === 'host' ? { hostIds: ids } : {}),
      },
    ),
  ];
}
