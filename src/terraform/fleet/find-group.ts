import { type GroupWish, ungroupedId } from '../../model/group.ts';
import { createGroupResolver, type GroupTarget } from '../../plan/difference/groups.ts';
import { failed, ok, type Result } from '../../problem/result.ts';
import type { LiveFleet } from './live-fleet.ts';
import { nowhere, withoutPlace } from './small-desired.ts';

/**
 * The group of a name, of an id, or none. A name that no group has is the problem `unknown-group` with the names that
 * are near, one that several have `ambiguous-group`; an id that is not listed is found all the same, with a warning.
 */
export function findGroup(fleet: LiveFleet, wish: GroupWish): Result<GroupTarget> {
  const sure = findSure(fleet, wish);
  if (sure !== undefined) return ok(sure);
  const resolver = createGroupResolver(fleet);
  const target = resolver.resolve(wish, () => nowhere);
  const problems = resolver.problems().map(withoutPlace);
  return target === undefined ? failed(...problems) : ok(target, problems);
}

function findSure(fleet: LiveFleet, wish: GroupWish): GroupTarget | undefined {
  switch (wish.kind) {
    case 'ungrouped':
      return { id: ungroupedId, name: null };
    case 'id':
      return fleet.groupById(wish.id);
    case 'named': {
      const called = fleet.groupsCalled(wish.name);
      return called.length === 1 ? called[0] : undefined;
    }
  }
}
