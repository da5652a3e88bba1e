import { once } from '../../lib/once.ts';
import type { Desired } from '../../model/desired.ts';
import type { Entry } from '../../model/entry.ts';
import type { HostId, Observed, ObservedHost } from '../../model/observed.ts';
import { isTemporaryNameFor, type TemporaryNameKind } from '../../model/temporary-name.ts';
import type { Problem } from '../../problem/problem.ts';
import { uniqueHosts } from './host-list.ts';
import { ambiguousHost, claimedTwice, doubts, notFound } from './match-problems.ts';
import type { Match, Matching, MatchOptions } from './matching.ts';
import { misspelledNames } from './misspelled-names.ts';
import { type SuccessorInputs, successorOf, successorProblem } from './successors.ts';
import { indexTemporaryNames, type TemporaryNames } from './temporary-names.ts';

/**
 * An entry with an id matches that host and no other, except that the successor of a missing host may take its place.
 * Without an id, it matches the one host with its key, if it has one, else the one with the name `name`, else the one with
 * a name in `previously`, else the one with the temporary name that Rampart gave it.
 */
export function matchEntries(desired: Desired, observed: Observed, options: MatchOptions): Matching {
  const temporary = indexTemporaryNames(observed);
  const pins = pinsOf(desired, observed);
  return pins === undefined || hasAdoption(desired, observed, options, pins)
    ? matchOneByOne(desired, observed, temporary, options)
    : matchPinned(desired, observed, temporary, options, pins);
}

interface Pins {
  readonly hostIndexes: Int32Array;
  /** By index in the list: 1 for a host that an entry matches. */
  readonly isTaken: Uint8Array;
  readonly found: number;
}

/** Undefined if an entry has no id, or two have the same. */
function pinsOf(desired: Desired, observed: Observed): Pins | undefined {
  const hostIndexes = new Int32Array(desired.count);
  const isTaken = new Uint8Array(observed.count);
  let found = 0;
  for (let index = 0; index < desired.count; index += 1) {
    const id = desired.idAt(index);
    if (id === undefined) return undefined;
    const at = observed.indexOf(id);
    hostIndexes[index] = at;
    if (at === -1) continue;
    if (isTaken[at] === 1) return undefined;
    isTaken[at] = 1;
    found += 1;
  }
  return { hostIndexes, isTaken, found };
}

/** Does the successor of a missing host take its place? */
function hasAdoption(
  desired: Desired,
  observed: Observed,
  { keys }: MatchOptions,
  { hostIndexes, isTaken }: Pins,
): boolean {
  if (keys?.identity.successor !== 'adopt') return false;
  const isPinned = (id: HostId) => isTaken[observed.indexOf(id)] === 1;
  return hostIndexes.some(
    (at, index) =>
      at === -1 && successorOf(desired.at(index), { observed, keys, isPinned })?.kind === 'adopted',
  );
}

function matchPinned(
  desired: Desired,
  observed: Observed,
  temporary: TemporaryNames,
  options: MatchOptions,
  { hostIndexes, isTaken, found }: Pins,
): Matching {
  const mayBeClaimed = (id: HostId) => {
    const at = observed.indexOf(id);
    return at !== -1 && isTaken[at] === 1;
  };
  const problems: Problem[] = [];
  const farewells: Problem[] = [];
  const awaiting: Entry[] = [];
  let absent = 0;
  for (let index = 0; index < desired.count; index += 1) {
    const at = hostIndexes[index] as number;
    if (at !== -1 && desired.isPlainAt(index)) continue;
    const entry = desired.at(index);
    if (entry.ensure === 'absent') {
      absent += 1;
      if (at !== -1)
        farewells.push(...doubts(desired, { entry, host: observed.at(at) }, observed, mayBeClaimed));
    } else if (at === -1) {
      awaiting.push(entry);
      problems.push(
        missing(entry, { desired, observed, keys: options.keys, isPinned: mayBeClaimed }, options),
      );
    }
  }
  return {
    count: found,
    matches: once(() => matchesAt(desired, observed, hostIndexes)),
    hostIndexes: () => hostIndexes,
    isByIdsAlone: true,
    awaiting,
    pinned: { entries: desired.count - absent, missing: awaiting.length, absent },
    temporary,
    mayBeClaimed,
    problems: [...problems, ...farewells],
  };
}

/** The problem of an entry that matches no host. */
function missing(entry: Entry, inputs: SuccessorInputs, options: MatchOptions): Problem {
  const successor = successorOf(entry, inputs);
  return successor === undefined
    ? notFound(inputs.desired, entry, inputs.observed, options)
    : successorProblem(inputs.desired, entry, successor, options.strict);
}

function matchesAt(desired: Desired, observed: Observed, hostIndexes: Int32Array): readonly Match[] {
  const matches: Match[] = [];
  for (let index = 0; index < hostIndexes.length; index += 1) {
    const at = hostIndexes[index] as number;
    if (at !== -1) matches.push({ entry: desired.at(index), host: observed.at(at) });
  }
  return matches;
}

function matchOneByOne(
  desired: Desired,
  observed: Observed,
  temporary: TemporaryNames,
  options: MatchOptions,
): Matching {
  const problems: Problem[] = [];
  const awaiting: Entry[] = [];
  const pinned = { entries: 0, missing: 0, absent: 0 };
  const claims = new Map<HostId, Match>();
  const contested = new Map<HostId, Match[]>();
  const candidates = new Set<HostId>();
  /** The place of the problem for each entry that matches no host. */
  const waiting = new Map<Entry, number>();
  const inputs: SuccessorInputs = { desired, observed, keys: options.keys, isPinned: pinnedIn(desired) };

  for (let index = 0; index < desired.count; index += 1) {
    const entry = desired.at(index);
    const successor = isMissing(entry, observed) ? successorOf(entry, inputs) : undefined;
    const found =
      successor?.kind === 'adopted' ? successor.hosts : hostsMeant(entry, observed, temporary, options);
    if (found.length > 1) {
      for (const host of found) candidates.add(host.id);
      problems.push(ambiguousHost(desired, entry, found));
      continue;
    }
    const [host] = found;
    if (entry.id !== undefined && entry.ensure === 'absent') pinned.absent += 1;
    if (entry.id !== undefined && entry.ensure === 'present') {
      pinned.entries += 1;
      // A list that ended early may hide the host itself.
      if (host === undefined || successor !== undefined) pinned.missing += 1;
    }
    if (host === undefined) {
      if (entry.ensure === 'absent') continue;
      awaiting.push(entry);
      waiting.set(entry, problems.length);
      problems.push(missing(entry, inputs, options));
      continue;
    }
    if (successor !== undefined) problems.push(successorProblem(desired, entry, successor, options.strict));
    const match = { entry, host };
    const first = claims.get(host.id);
    const rivals = contested.get(host.id);
    if (first === undefined) claims.set(host.id, match);
    else if (rivals === undefined) contested.set(host.id, [first, match]);
    else rivals.push(match);
  }

  const mayBeClaimed = (id: HostId) => claims.has(id) || contested.has(id) || candidates.has(id);
  for (const [hostId, rivals] of contested) {
    claims.delete(hostId);
    problems.push(claimedTwice(desired, rivals));
  }
  const isClaimed = (id: HostId) => claims.has(id);
  const named =
    options.skipsMisspelled === true ? [] : [...waiting.keys()].filter(({ id }) => id === undefined);
  for (const [entry, near] of misspelledNames(named, observed, mayBeClaimed))
    problems[waiting.get(entry) as number] = notFound(desired, entry, observed, options, near);
  for (const match of claims.values()) problems.push(...doubts(desired, match, observed, isClaimed));
  return {
    count: claims.size,
    matches: once(() => [...claims.values()]),
    hostIndexes: once(() => hostIndexesOf(claims.values(), desired, observed)),
    isByIdsAlone: false,
    awaiting,
    pinned,
    temporary,
    mayBeClaimed,
    problems,
  };
}

function hostIndexesOf(matches: Iterable<Match>, desired: Desired, observed: Observed): Int32Array {
  const hostIndexes = new Int32Array(desired.count).fill(-1);
  for (const { entry, host } of matches) hostIndexes[entry.index] = observed.indexOf(host.id);
  return hostIndexes;
}

function isMissing({ id }: Entry, observed: Observed): boolean {
  return id !== undefined && observed.indexOf(id) === -1;
}

/** The ids that entries pin, made on first use. */
function pinnedIn(desired: Desired): (id: HostId) => boolean {
  const ids = once(() => new Set(Array.from({ length: desired.count }, (_, index) => desired.idAt(index))));
  return (id) => ids().has(id);
}

function hostsMeant(
  entry: Entry,
  observed: Observed,
  temporary: TemporaryNames,
  { keys }: MatchOptions,
): readonly ObservedHost[] {
  const { id, key } = entry;
  if (id !== undefined) {
    const host = observed.byId(id);
    return host === undefined ? [] : [host];
  }
  if (key === undefined || keys === undefined) return findByName(entry, observed, temporary);
  const found = keys.find(key);
  if (found.kind === 'one') return [observed.byId(found.id)].filter((host) => host !== undefined);
  if (found.kind === 'shared') return found.ids.flatMap((each) => observed.byId(each) ?? []);
  // A host with the name and another key is another machine.
  return findByName(entry, observed, temporary).filter((host) => !keys.hasOther(host.id, key));
}

function findByName(entry: Entry, observed: Observed, temporary: TemporaryNames): readonly ObservedHost[] {
  const name = entry.name as string;
  const named = observed.byName(name);
  if (named.length > 0) return named;
  const before = uniqueHosts(entry.previously.flatMap((previous) => observed.byName(previous)));
  if (before.length > 0) return before;
  const kind: TemporaryNameKind = entry.ensure === 'absent' ? 'deletion' : 'rename';
  return uniqueHosts([name, ...entry.previously].flatMap((each) => temporaryNameFor(temporary, kind, each)));
}

function temporaryNameFor(
  temporary: TemporaryNames,
  kind: TemporaryNameKind,
  name: string,
): readonly ObservedHost[] {
  return temporary
    .filter((each) => isTemporaryNameFor(each.temporary, kind, each.host.id, name))
    .map((each) => each.host);
}
