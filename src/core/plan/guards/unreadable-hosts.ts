import type { Desired } from '../../model/desired.ts';
import type { Entry } from '../../model/entry.ts';
import { foldName } from '../../model/host-name.ts';
import {
  mayBeUnreadable,
  type Observed,
  type UnreadableHost,
  unreadableAntivirus,
  unreadableHost,
  unreadableWords,
} from '../../model/observed.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import type { HostDifference } from '../difference/compare.ts';
import type { Matching } from '../intents/matching.ts';

export interface UnreadableInputs {
  readonly desired: Desired;
  readonly observed: Observed;
  readonly matching: Matching;
  readonly changes: readonly HostDifference[];
}

/**
 * Names each unreadable host of the list, and refuses everything that needs one of them: an entry that refers to it or
 * may refer to it, and a rename to its name.
 */
export function unreadableHostProblems({
  desired,
  observed,
  matching,
  changes,
}: UnreadableInputs): readonly Problem[] {
  const { unreadable = [], unreadableAntivirus: unknown = [] } = observed;
  const named = [...unreadable.map(unreadableHost), ...unknown.map(unreadableAntivirus)];
  if (unreadable.length === 0) return named;
  const found = new Set(matching.matches().map(({ entry }) => entry.index));
  const needed: Problem[] = [];
  for (let index = 0; index < desired.count; index += 1) {
    const entry = desired.at(index);
    if (found.has(index) || (entry.id !== undefined && observed.byId(entry.id) !== undefined)) continue;
    const hidden = unreadable.find((each) => mayMean(entry, each, observed));
    if (hidden !== undefined) needed.push(neededBy(desired, entry, hidden));
  }
  return [...named, ...needed, ...takenNames(unreadable, changes)];
}

function mayMean(entry: Entry, host: UnreadableHost, observed: Observed): boolean {
  if (entry.id !== undefined) return mayBeUnreadable({ unreadable: [host] }, entry.id);
  const { name } = host;
  if (name === null) return false;
  if (name === undefined) return true;
  const isNamed = [entry.name, ...entry.previously].includes(name);
  return isNamed && observed.byName(name).length === 0;
}

function neededBy(desired: Desired, entry: Entry, host: UnreadableHost): Problem {
  const what = entry.id === undefined ? `"${entry.name}"` : `host ${entry.id}`;
  const how = host.id === undefined ? 'may be' : 'is';
  const which =
    entry.id !== undefined && entry.id === host.id ? '' : `${how} ${unreadableWords(host)}, which `;
  return problem('unreadable-host', `the entry needs ${what}, which ${which}can't be read`, {
    place: desired.placeOf(entry.index, entry.id === undefined ? 'name' : 'id'),
    hint: "try again; if this persists, contact the service's support, or remove the entry until then",
    ...(host.id === undefined ? {} : { hostIds: [host.id] }),
  });
}

/** An unreadable host may still have a name that the plan gives to another host. */
function takenNames(
  unreadable: readonly UnreadableHost[],
  changes: readonly HostDifference[],
): readonly Problem[] {
  const owners = new Map(
    unreadable.flatMap((host) =>
      typeof host.name === 'string' ? [[foldName(host.name), host] as const] : [],
    ),
  );
  return changes.flatMap(({ host, rename }) => {
    const owner = rename === undefined ? undefined : owners.get(foldName(rename));
    if (owner === undefined || owner.id === host.id) return [];
    return [
      problem(
        'unreadable-host',
        `the name "${rename}", requested for ${host.id}, belongs to ${unreadableWords(owner)}, which can't be read`,
        { hint: 'choose another name, or try again', hostIds: [host.id] },
      ),
    ];
  });
}
