import {
  type GroupIntent,
  type HostId,
  hostsOf,
  type Observed,
  type ObservedHost,
} from '../../model/observed.ts';
import type { Policy } from '../../model/policy.ts';
import type { Place } from '../../problem/problem.ts';
import { createGroupResolver, type GroupTarget } from './groups.ts';

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
  const expelled = new Map<HostId, Expulsion>();
  for (const { group, othersTo, exclusive, place } of groups) {
    if (!exclusive || othersTo === undefined) continue;
    const target = resolver.resolve(group, () => place);
    if (target === undefined) continue;
    for (const host of intrudersIn(target, observed, claimsGroup)) {
      if (!expelled.has(host.id)) {
        expelled.set(host.id, { host, to: othersTo.group, place: othersTo.place });
      }
    }
  }
  return [...expelled.values()];
}

/** Hosts of the group without a claim for any group. */
export function intrudersIn(
  { id }: GroupTarget,
  observed: Observed,
  claimsGroup: ClaimsGroup,
): readonly ObservedHost[] {
  return hostsOf(observed).filter((host) => host.groupId === id && !claimsGroup(host.id));
}
