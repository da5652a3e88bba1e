import type { Desired, Entry } from '../../model/desired.ts';
import type { HostId } from '../../model/host-id.ts';
import { foldName } from '../../model/host-name.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import { isParkedFor, type ParkKind, readParkedName } from '../../model/parked-name.ts';
import { formatPlace } from '../../problem/place.ts';
import { note, type Problem, problem, warning } from '../../problem/problem.ts';
import { indexParked, type ParkedHosts } from './parked-hosts.ts';

export interface Match {
  readonly entry: Entry;
  readonly host: ObservedHost;
}

/** Which host each entry means. */
export interface Matching {
  /** In the entries' order; no host is in it twice. */
  readonly matches: readonly Match[];
  /** Present entries with no host. */
  readonly awaiting: readonly Entry[];
  /** Present entries that pin an id, and how many of those ids the list does not have. */
  readonly pinned: { readonly entries: number; readonly missing: number };
  readonly parked: ParkedHosts;
  /** Every entry says by id which host it means, and no two the same. */
  readonly isPinned: boolean;
  /** Does some entry mean this host, or may it? */
  isSpokenFor(id: HostId): boolean;
  readonly problems: readonly Problem[];
}

export interface MatchOptions {
  readonly strict: boolean;
}

/**
 * An entry with an id means that host and no other. Without an id: the one host called `name`, else the one
 * called one of `previously`, else the one that Rampart parked on its way there.
 */
export function matchEntries(desired: Desired, observed: Observed, options: MatchOptions): Matching {
  const parked = indexParked(observed);
  const problems: Problem[] = [];
  const awaiting: Entry[] = [];
  const pinned = { entries: 0, missing: 0 };
  const claims = new Map<HostId, Match>();
  const contested = new Map<HostId, Match[]>();
  const candidates = new Set<HostId>();
  const matches: Match[] = [];
  const places = placesOfPinned(desired, observed);

  for (let index = 0; index < desired.count; index += 1) {
    const entry = desired.at(index);
    const found = entry.id === undefined ? findByName(entry, observed, parked) : undefined;
    if (found !== undefined && found.length > 1) {
      for (const host of found) candidates.add(host.id);
      problems.push(ambiguousHost(desired, entry, found));
      continue;
    }
    const host = places === undefined ? hostOf(entry, found, observed) : hostAt(places, index, observed);
    if (entry.id !== undefined && entry.ensure === 'present') {
      pinned.entries += 1;
      if (host === undefined) pinned.missing += 1;
    }
    if (host === undefined) {
      if (entry.ensure === 'absent') continue;
      awaiting.push(entry);
      problems.push(notFound(desired, entry, observed, options));
      continue;
    }
    const match = { entry, host };
    if (places !== undefined) {
      matches.push(match);
      continue;
    }
    const first = claims.get(host.id);
    if (first === undefined) claims.set(host.id, match);
    else contested.set(host.id, [...(contested.get(host.id) ?? [first]), match]);
  }

  for (const [hostId, rivals] of contested) {
    claims.delete(hostId);
    problems.push(claimedTwice(desired, rivals));
  }
  for (const match of claims.values()) matches.push(match);
  for (const match of matches) {
    const { id, ensure } = match.entry;
    if (id === undefined || ensure === 'absent') problems.push(...doubts(desired, match, observed, claims));
  }
  let spokenFor: ReadonlySet<HostId> | undefined;
  const isSpokenFor = (id: HostId) => {
    if (desired.count === 0) return false;
    spokenFor ??= new Set([...matches.map(({ host }) => host.id), ...contested.keys(), ...candidates]);
    return spokenFor.has(id);
  };
  return { matches, awaiting, pinned, parked, isPinned: places !== undefined, isSpokenFor, problems };
}

/**
 * Where the host of each entry is in the list, -1 where it is not there. Undefined unless every entry says by id which
 * host it means, and no two the same: then nobody has to keep in mind who means which.
 */
function placesOfPinned(desired: Desired, observed: Observed): Int32Array | undefined {
  if (observed.placeOf === undefined) return undefined;
  const places = new Int32Array(desired.count);
  const isTaken = new Uint8Array(observed.count);
  for (let index = 0; index < desired.count; index += 1) {
    const { id } = desired.at(index);
    if (id === undefined) return undefined;
    const place = observed.placeOf(id) ?? -1;
    if (place !== -1 && isTaken[place] === 1) return undefined;
    if (place !== -1) isTaken[place] = 1;
    places[index] = place;
  }
  return places;
}

function hostAt(places: Int32Array, index: number, observed: Observed): ObservedHost | undefined {
  const place = places[index] as number;
  return place === -1 ? undefined : observed.at(place);
}

function hostOf(
  { id }: Entry,
  called: readonly ObservedHost[] | undefined,
  observed: Observed,
): ObservedHost | undefined {
  return id === undefined ? called?.[0] : observed.byId(id);
}

function findByName(entry: Entry, observed: Observed, parked: ParkedHosts): readonly ObservedHost[] {
  const name = entry.name as string;
  const called = observed.byName(name);
  if (called.length > 0) return called;
  const before = unique(entry.previously.flatMap((previous) => observed.byName(previous)));
  if (before.length > 0) return before;
  const kind: ParkKind = entry.ensure === 'absent' ? 'gone' : 'wanted';
  return unique([name, ...entry.previously].flatMap((each) => parkedFor(parked, kind, each)));
}

function parkedFor(parked: ParkedHosts, kind: ParkKind, name: string): readonly ObservedHost[] {
  return parked.filter((each) => isParkedFor(each.parked, kind, each.host.id, name)).map((each) => each.host);
}

function unique(hosts: readonly ObservedHost[]): readonly ObservedHost[] {
  return [...new Set(hosts)];
}

function ambiguousHost(desired: Desired, entry: Entry, found: readonly ObservedHost[]): Problem {
  const names = [...new Set(found.map((host) => `"${host.name}"`))].join(' and ');
  return problem('ambiguous-host', `${found.length} hosts could be meant, called ${names}`, {
    place: desired.placeOf(entry.index, 'name'),
    hint: `pin one of the ids: ${found.map((host) => host.id).join(', ')}`,
    hostIds: found.map((host) => host.id),
  });
}

function notFound(desired: Desired, entry: Entry, observed: Observed, options: MatchOptions): Problem {
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

function claimedTwice(desired: Desired, rivals: readonly Match[]): Problem {
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
function doubts(
  desired: Desired,
  match: Match,
  observed: Observed,
  claims: ReadonlyMap<HostId, Match>,
): readonly Problem[] {
  const { entry, host } = match;
  if (entry.id === undefined) {
    if (host.name !== entry.name) return [];
    const alive = entry.previously
      .flatMap((name) => observed.byName(name))
      .filter((each) => !claims.has(each.id));
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
    const parked = readParkedName(host.name);
    if (expected.includes(host.name)) return [];
    if (parked !== undefined && expected.some((name) => isParkedFor(parked, 'gone', host.id, name)))
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
