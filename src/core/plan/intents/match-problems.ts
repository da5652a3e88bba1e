import type { Desired } from '../../model/desired.ts';
import type { Entry } from '../../model/entry.ts';
import { foldName } from '../../model/host-name.ts';
import type { HostId, Observed, ObservedHost } from '../../model/observed.ts';
import { isTemporaryNameFor, readTemporaryName } from '../../model/temporary-name.ts';
import { formatPlace, note, type Problem, problem, warning } from '../../problem/problem.ts';
import type { Match, MatchOptions } from './matching.ts';

export function ambiguousHost(desired: Desired, entry: Entry, found: readonly ObservedHost[]): Problem {
  const names = [...new Set(found.map((host) => `"${host.name}"`))].join(' and ');
  return problem('ambiguous-host', `the entry matches ${found.length} hosts, named ${names}`, {
    place: desired.placeOf(entry.index, 'name'),
    hint: `add one of these ids to the entry: ${found.map((host) => host.id).join(', ')}`,
    hostIds: found.map((host) => host.id),
  });
}

/** `near`: hosts whose names are almost those of the entry. An entry for a host that will enroll later has none. */
export function notFound(
  desired: Desired,
  entry: Entry,
  observed: Observed,
  options: MatchOptions,
  near: readonly ObservedHost[] = [],
): Problem {
  if (entry.id !== undefined) {
    const make = options.strict ? problem : warning;
    const intended = entry.name === undefined ? '' : `, with the intended name "${entry.name}",`;
    return make('missing-host', `host ${entry.id}${intended} is not in the list`, {
      place: desired.placeOf(entry.index, 'id'),
      hint: 'if the host was deleted, remove the entry',
      hostIds: [entry.id],
    });
  }
  const alike = observed.byFoldedName(foldName(entry.name as string));
  const words = (hosts: readonly ObservedHost[]) =>
    hosts.map((host) => `"${host.name}" (${host.id})`).join(', ');
  // A mistyped name would lose everything that the entry requests.
  const make = options.strict ? problem : alike.length + near.length > 0 ? warning : note;
  const hint =
    alike.length > 0
      ? `${words(alike)} differs only in letter case: add its id to the entry to rename it`
      : `did you mean ${words(near)}? Correct the name, or add the id to the entry to rename the host`;
  return make('awaiting-enrollment', `no host has the name "${entry.name}"`, {
    place: desired.placeOf(entry.index, 'name'),
    ...(alike.length + near.length === 0 ? {} : { hint }),
  });
}

export function claimedTwice(desired: Desired, rivals: readonly Match[]): Problem {
  const { host } = rivals[0] as Match;
  const places = rivals.map((rival) => desired.placeOf(rival.entry.index));
  return problem(
    'host-claimed-twice',
    `${rivals.length} entries match the host "${host.name}" (${host.id})`,
    {
      ...(places[0] === undefined ? {} : { place: places[0] }),
      related: places.slice(1),
      hint: 'add ids so that each entry matches one host',
      hostIds: [host.id],
    },
  );
}

/** Matches that are valid but deserve a review. */
export function doubts(
  desired: Desired,
  match: Match,
  observed: Observed,
  isClaimed: (id: HostId) => boolean,
): readonly Problem[] {
  const { entry, host } = match;
  if (entry.id === undefined) {
    if (host.name !== entry.name) return [];
    const alive = entry.previously
      .flatMap((name) => observed.byName(name))
      .filter((each) => !isClaimed(each.id));
    return alive.map((other) =>
      warning(
        'previous-name-alive',
        `a host has the name "${entry.name}", and another host has the previous name "${other.name}"`,
        {
          place: desired.placeOf(entry.index, 'previously'),
          hint: `if the entry is for ${other.id}, add this id; otherwise remove the previous name`,
          hostIds: [host.id, other.id],
        },
      ),
    );
  }
  if (
    entry.ensure === 'absent' &&
    entry.name !== undefined &&
    host.name !== entry.name &&
    host.name !== null
  ) {
    const expected = [entry.name, ...entry.previously];
    const temporary = readTemporaryName(host.name);
    if (expected.includes(host.name)) return [];
    if (
      temporary !== undefined &&
      expected.some((name) => isTemporaryNameFor(temporary, 'deletion', host.id, name))
    )
      return [];
    return [
      warning(
        'name-differs',
        `the entry deletes host ${host.id} under the name "${entry.name}", but its name is "${host.name}"`,
        {
          place: desired.placeOf(entry.index, 'name'),
          hint: `check that the id at ${formatPlace(desired.placeOf(entry.index, 'id'))} is correct`,
          hostIds: [host.id],
        },
      ),
    ];
  }
  return [];
}
