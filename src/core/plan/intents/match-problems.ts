import type { Desired } from '../../model/desired.ts';
import type { Entry } from '../../model/entry.ts';
import type { HostId } from '../../model/host-id.ts';
import { foldName } from '../../model/host-name.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import { isTemporaryNameFor, readTemporaryName } from '../../model/temporary-name.ts';
import { formatPlace } from '../../problem/place.ts';
import { note, type Problem, problem, warning } from '../../problem/problem.ts';
import type { Match, MatchOptions } from './matching.ts';

export function ambiguousHost(desired: Desired, entry: Entry, found: readonly ObservedHost[]): Problem {
  const names = [...new Set(found.map((host) => `"${host.name}"`))].join(' and ');
  return problem('ambiguous-host', `${found.length} hosts could be meant, called ${names}`, {
    place: desired.placeOf(entry.index, 'name'),
    hint: `pin one of the ids: ${found.map((host) => host.id).join(', ')}`,
    hostIds: found.map((host) => host.id),
  });
}

export function notFound(desired: Desired, entry: Entry, observed: Observed, options: MatchOptions): Problem {
  const make = options.strict ? problem : entry.id === undefined ? note : warning;
  if (entry.id !== undefined) {
    const called = entry.name === undefined ? '' : `, wanted as "${entry.name}",`;
    return make('missing-host', `host ${entry.id}${called} is not in the list`, {
      place: desired.placeOf(entry.index, 'id'),
      hint: 'remove the entry if the host is gone for good',
      hostIds: [entry.id],
    });
  }
  const alike = observed.byFoldedName(foldName(entry.name as string));
  const hint = alike.map((host) => `"${host.name}" (${host.id})`).join(', ');
  return make('awaiting-enrolment', `no host is called "${entry.name}"`, {
    place: desired.placeOf(entry.index, 'name'),
    ...(alike.length === 0
      ? {}
      : { hint: `only the letter case differs from ${hint}: pin the id to rename it` }),
  });
}

export function claimedTwice(desired: Desired, rivals: readonly Match[]): Problem {
  const { host } = rivals[0] as Match;
  const places = rivals.map((rival) => desired.placeOf(rival.entry.index));
  return problem('host-claimed-twice', `${rivals.length} entries mean the host "${host.name}" (${host.id})`, {
    ...(places[0] === undefined ? {} : { place: places[0] }),
    related: places.slice(1),
    hint: 'pin the ids, so that each entry means one host',
    hostIds: [host.id],
  });
}

/** Matches that are sound, and still deserve a second look. */
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
        `"${entry.name}" is found, and a host still has its previous name "${other.name}"`,
        {
          place: desired.placeOf(entry.index, 'previously'),
          hint: `if ${other.id} is the one that is meant, pin its id; else drop the previous name`,
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
      expected.some((name) => isTemporaryNameFor(temporary, 'gone', host.id, name))
    )
      return [];
    return [
      warning(
        'name-differs',
        `host ${host.id} is to be deleted as "${entry.name}", and is called "${host.name}"`,
        {
          place: desired.placeOf(entry.index, 'name'),
          hint: `make sure that ${formatPlace(desired.placeOf(entry.index, 'id'))} names the right host`,
          hostIds: [host.id],
        },
      ),
    ];
  }
  return [];
}
