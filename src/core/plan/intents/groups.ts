import { once } from '../../lib/once.ts';
import { didYouMean, firstFew, nearest } from '../../lib/words.ts';
import {
  type Group,
  type GroupId,
  type GroupIntent,
  type HostId,
  hostsOf,
  type Observed,
  type ObservedHost,
  ungroupedId,
} from '../../model/observed.ts';
import type { Policy } from '../../model/policy.ts';
import { type Place, type Problem, problem, warning } from '../../problem/problem.ts';

export interface GroupTarget {
  readonly id: GroupId;
  /** Null: no group, or a group that the list does not name. */
  readonly name: string | null;
}

/** The name as `paint` shows it, or words for no group and for a group without a name. */
export function describeGroup(
  { id, name }: { readonly id: string; readonly name: string | null },
  paint = (text: string) => `"${text}"`,
): string {
  if (id === ungroupedId) return 'no group';
  return name === null ? `group ${id}` : paint(name);
}

/** The group as a value of its attribute: its name, or its id as files write it; empty for no group. */
export function groupValue(id: GroupId, observed: Pick<Observed, 'groupById'>): string {
  return id === ungroupedId ? '' : (observed.groupById(id)?.name ?? `{ id: ${id} }`);
}

/** Finds the group that an intent names. Collects groups that can't be found, once per name. */
export interface GroupResolver {
  resolve(intent: GroupIntent, place: () => Place): GroupTarget | undefined;
  problems(): readonly Problem[];
}

/** A problem shows no more places of one misspelled name. */
const shownPlaces = 10;

export function createGroupResolver(observed: Observed): GroupResolver {
  const byName = once(() => Map.groupBy(observed.groups.filter(isNamed), ({ name }) => name));
  const unresolved = new Map<string, Place[]>();
  const unlisted = new Map<GroupId, Place>();

  return {
    resolve(intent, place) {
      if (intent.kind === 'ungrouped') return { id: ungroupedId, name: null };
      if (intent.kind === 'id') {
        const known = observed.groupById(intent.id);
        if (known === undefined) unlisted.set(intent.id, place());
        return { id: intent.id, name: known?.name ?? null };
      }
      const found = byName().get(intent.name) ?? [];
      if (found.length === 1) return found[0];
      const places = unresolved.get(intent.name) ?? [];
      const here = place();
      if (places.length < shownPlaces && !places.some((each) => isSamePlace(each, here))) places.push(here);
      unresolved.set(intent.name, places);
      return undefined;
    },
    problems: () => [
      ...[...unresolved].map(([name, places]) =>
        unresolvedGroup(name, places, byName().get(name) ?? [], byName().keys()),
      ),
      ...[...unlisted].map(([id, place]) =>
        warning('unknown-group', `the list has no group with id ${id}`, {
          place,
          hint: 'check the id: the service may refuse a move to this group',
        }),
      ),
    ],
  };
}

function isNamed(group: Group): group is Group & { readonly name: string } {
  return group.name !== null;
}

/** A rule requests a group for many hosts from one place. */
function isSamePlace(a: Place, b: Place): boolean {
  return a.file === b.file && a.line === b.line && a.col === b.col;
}

function unresolvedGroup(
  name: string,
  places: readonly Place[],
  found: readonly Group[],
  known: Iterable<string>,
): Problem {
  const [place, ...related] = places;
  const where = { ...(place === undefined ? {} : { place }), related };
  if (found.length > 1) {
    return problem('ambiguous-group', `${found.length} groups have the name "${name}"`, {
      ...where,
      hint: `specify the group by id: ${found.map((group) => `{ id: ${group.id} }`).join(' or ')}`,
    });
  }
  const names = [...known];
  const hint =
    didYouMean(nearest(name, names)) ??
    `create groups in the service's console; the account has ${names.length === 0 ? 'none' : firstFew(names.toSorted(), 5, (each) => `"${each}"`)}`;
  return problem('unknown-group', `group "${name}" does not exist`, { ...where, hint });
}

/** A host that leaves an exclusive group because nothing claims it for a group. */
export interface Expulsion {
  readonly host: ObservedHost;
  readonly to: GroupIntent;
  readonly place: Place;
}

/** Does anything request a group for the host, or its deletion? */
export type ClaimsGroup = (id: HostId) => boolean;

/** Can `expulsions` return any move? */
export function sendsHostsAway({ groups }: Pick<Policy, 'groups'>): boolean {
  return groups.some(({ othersTo }) => othersTo !== undefined);
}

/**
 * The moves that `exclusive: true` with `othersTo` requests. Groups that can't be found request none; `policyProblems`
 * reports them.
 */
export function expulsions(
  { groups }: Policy,
  observed: Observed,
  claimsGroup: ClaimsGroup,
): readonly Expulsion[] {
  if (!sendsHostsAway({ groups })) return [];
  const resolver = createGroupResolver(observed);
  const hosts = Map.groupBy(hostsOf(observed), ({ groupId }) => groupId);
  const expelled = new Map<HostId, Expulsion>();
  for (const { group, othersTo, exclusive, place } of groups) {
    if (!exclusive || othersTo === undefined) continue;
    const target = resolver.resolve(group, () => place);
    if (target === undefined) continue;
    for (const host of hosts.get(target.id) ?? []) {
      if (!claimsGroup(host.id) && !expelled.has(host.id)) {
        expelled.set(host.id, { host, to: othersTo.group, place: othersTo.place });
      }
    }
  }
  return [...expelled.values()];
}
