import { type GroupIntent, ungroupedId } from '../../core/model/observed.ts';
import { createGroupResolver, type GroupTarget } from '../../core/plan/intents/groups.ts';
import { failed, ok, type Problem, type Result } from '../../core/problem/problem.ts';
import type { LiveFleet } from './live-fleet.ts';
import { nowhere, withoutSourcePlace } from './small-desired.ts';

/**
 * The group of a name, of an id, or none. A name that no group has is the problem `unknown-group` with similar names; a
 * name that several have is `ambiguous-group`; an id that is not listed is still accepted, with a warning.
 */
export function findLiveGroup(fleet: LiveFleet, intent: GroupIntent): Result<GroupTarget> {
  const sure = findSure(fleet, intent);
  if (sure !== undefined) return ok(sure);
  const resolver = createGroupResolver(fleet);
  const target = resolver.resolve(intent, () => nowhere);
  const problems = resolver.problems().map((each) => inArguments(withoutSourcePlace(each), fleet, intent));
  return target === undefined ? failed(...problems) : ok(target, problems);
}

/** An id has another form in a file than in an argument. */
function inArguments(each: Problem, fleet: LiveFleet, intent: GroupIntent): Problem {
  if (each.code !== 'ambiguous-group' || intent.kind !== 'named') return each;
  const ids = fleet.groupsCalled(intent.name).map(({ id }) => `"${id}"`);
  return { ...each, hint: `identify the group by its id: set group_id to ${ids.join(' or ')}` };
}

function findSure(fleet: LiveFleet, intent: GroupIntent): GroupTarget | undefined {
  switch (intent.kind) {
    case 'ungrouped':
      return { id: ungroupedId, name: null };
    case 'id':
      return fleet.groupById(intent.id);
    case 'named': {
      const called = fleet.groupsCalled(intent.name);
      return called.length === 1 ? called[0] : undefined;
    }
  }
}
