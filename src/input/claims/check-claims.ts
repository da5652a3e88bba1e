import { stronglyConnectedComponents } from '../../core/lib/strongly-connected-components.ts';
import { quoted } from '../../core/lib/words.ts';
import type { Entry, EntryAttribute } from '../../core/model/entry.ts';
import { foldName, isPrintableAscii } from '../../core/model/host-name.ts';
import { type Place, type Problem, problem, warning } from '../../core/problem/problem.ts';
import type { PlacedEntries } from '../entries/placed-entries.ts';
import { areSurelyApart } from './are-surely-apart.ts';

/** Finds conflicts between entries of all files: ids and names that are claimed more than once. */
export function checkClaims(placed: PlacedEntries): readonly Problem[] {
  return areSurelyApart(placed) ? [] : claimProblems(placed);
}

/** The same, by comparing the claims. */
function claimProblems(placed: PlacedEntries): readonly Problem[] {
  const entries = Array.from({ length: placed.count }, (_, index) => placed.at(index));
  const placeOf: PlaceOf = ({ index }, attribute) => placed.placeOf(index, attribute);
  const present = entries.filter((entry) => entry.ensure === 'present' && entry.name !== undefined);
  const absent = entries.filter((entry) => entry.ensure === 'absent' && entry.id === undefined);
  return [
    ...sameIds(entries, placeOf),
    ...sameNames(present, absent, placeOf),
    ...absentButClaimed(entries, absent, placeOf),
    ...lookalikes(present, placeOf),
    ...tradedNames(entries, placeOf),
  ];
}

type PlaceOf = (entry: Entry, attribute: EntryAttribute) => Place;

function sameIds(entries: readonly Entry[], placeOf: PlaceOf): readonly Problem[] {
  return repeatedBy(entries, (entry) => entry.id).map((claims) =>
    claimedTwice(
      'duplicate-host',
      `the host ${claims[0].id} has ${claims.length} entries`,
      placesOf(claims, 'id', placeOf),
      'keep one of them',
    ),
  );
}

/**
 * Present entries whose names are equal, or fold alike. If the names differ and all of them have ids, only the fleet
 * shows whether the hosts already have these names: the planner checks those.
 */
function sameNames(
  present: readonly Entry[],
  absent: readonly Entry[],
  placeOf: PlaceOf,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const claims of repeatedBy(present, (entry) => foldName(entry.name as string))) {
    const names = new Set(claims.map((entry) => entry.name as string));
    if (names.size === claims.length) {
      if (claims.some((entry) => entry.id === undefined)) problems.push(namesFoldAlike(claims, placeOf));
      continue;
    }
    for (const same of repeatedBy(claims, (entry) => entry.name)) problems.push(nameTaken(same, placeOf));
  }
  for (const same of repeatedBy(absent, (entry) => entry.name)) problems.push(nameTaken(same, placeOf));
  return problems;
}

function nameTaken(claims: Repeated, placeOf: PlaceOf): Problem {
  return claimedTwice(
    'duplicate-name',
    `the name ${quoted(claims[0].name as string)} is claimed by ${claims.length} entries`,
    placesOf(claims, 'name', placeOf),
    'names are unique in an account: change or remove one of them',
  );
}

function namesFoldAlike(claims: Repeated, placeOf: PlaceOf): Problem {
  const names = claims.slice(0, 3).map((entry) => quoted(entry.name as string));
  return claimedTwice(
    'duplicate-name',
    `the service may treat the names ${names.join(' and ')} as equal`,
    placesOf(claims, 'name', placeOf),
    'make them differ in more than letter case or accents; if hosts already have these names, add their ids',
  );
}

/**
 * Deleting the host with the name X while another entry requests the name X, or renames from it, could delete the wrong
 * host.
 */
function absentButClaimed(
  entries: readonly Entry[],
  toDelete: readonly Entry[],
  placeOf: PlaceOf,
): readonly Problem[] {
  if (toDelete.length === 0) return [];
  const claims = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.ensure === 'absent') continue;
    for (const name of namesOf(entry)) if (!claims.has(foldName(name))) claims.set(foldName(name), entry);
  }
  return toDelete.flatMap((entry) => {
    const name = namesOf(entry).find((each) => claims.has(foldName(each)));
    const rival = name === undefined ? undefined : claims.get(foldName(name));
    if (name === undefined || rival === undefined) return [];
    const attribute =
      rival.name !== undefined && foldName(rival.name) === foldName(name) ? 'name' : 'previously';
    return problem(
      'absent-but-claimed',
      `one entry deletes the host named ${quoted(name)}, and another entry claims that name`,
      {
        place: placeOf(entry, 'name'),
        related: [placeOf(rival, attribute)],
        hint: 'add the "id" of the host to delete',
      },
    );
  });
}

function lookalikes(present: readonly Entry[], placeOf: PlaceOf): readonly Problem[] {
  if (present.every((entry) => isPrintableAscii(entry.name as string))) return [];
  return repeatedBy(present, (entry) => skeletonOf(entry.name as string)).flatMap((claims) => {
    const first = claims[0];
    const folded = foldName(first.name as string);
    const other = claims.find((entry) => foldName(entry.name as string) !== folded);
    if (other === undefined) return [];
    return warning(
      'suspicious-name',
      `the names ${quoted(first.name as string)} and ${quoted(other.name as string)} look alike but differ`,
      {
        place: placeOf(other, 'name'),
        related: [placeOf(first, 'name')],
        hint: 'one of them may contain a letter of another alphabet',
      },
    );
  });
}

/**
 * `{ name: A, previously: [B] }` and `{ name: B, previously: [A] }`, or a longer cycle: while all of these hosts exist,
 * each is assumed to have its name already.
 */
function tradedNames(entries: readonly Entry[], placeOf: PlaceOf): readonly Problem[] {
  const byName = new Map<string, Entry>();
  if (entries.every((entry) => entry.id !== undefined || entry.previously.length === 0)) return [];
  for (const entry of entries) {
    if (entry.id === undefined && entry.ensure === 'present') byName.set(entry.name as string, entry);
  }
  const comesFrom = (entry: Entry) => entry.previously.flatMap((name) => byName.get(name) ?? []);
  return stronglyConnectedComponents([...byName.values()], comesFrom).map((cycle) => {
    const names = cycle.slice(0, 5).map((entry) => quoted(entry.name as string));
    return claimedTwice(
      'traded-names',
      `entries without ids swap names: ${names.join(', ')}${cycle.length > names.length ? ' …' : ''}`,
      placesOf(cycle, 'name', placeOf),
      'add an "id" to each of them, to identify each host',
    );
  });
}

function claimedTwice(
  code: 'duplicate-host' | 'duplicate-name' | 'traded-names',
  message: string,
  places: readonly Place[],
  hint: string,
): Problem {
  const [first, second, ...others] = places as [Place, Place, ...Place[]];
  return problem(code, message, { place: second, related: [first, ...others], hint });
}

function namesOf(entry: Entry): readonly string[] {
  return entry.name === undefined ? entry.previously : [entry.name, ...entry.previously];
}

/** Only the first ten: readers need no more. */
function placesOf(claims: readonly Entry[], attribute: 'id' | 'name', placeOf: PlaceOf): readonly Place[] {
  return claims.slice(0, 10).map((claim) => placeOf(claim, attribute));
}

type Repeated = readonly [Entry, Entry, ...Entry[]];

/** Entries with an equal key, if there are two or more; entries without the key match none. */
function repeatedBy(
  entries: readonly Entry[],
  key: (entry: Entry) => string | undefined,
): readonly Repeated[] {
  const groups = Map.groupBy(entries, key);
  groups.delete(undefined);
  return [...groups.values()].filter((group) => group.length > 1) as unknown as Repeated[];
}

/** Two names with the same skeleton can be confused. It maps compatibility forms and the letters of three alphabets. */
function skeletonOf(name: string): string {
  if (isPrintableAscii(name)) return name.toLowerCase();
  const plain = foldName(name.normalize('NFKC')).replace(unseen, '');
  return plain.replace(/\P{ASCII}/gu, (letter) => twins.get(letter) ?? letter);
}

const unseen = /[\p{Cf}\p{Cc}]/gu;

/** Small Cyrillic, Greek and other letters and marks, each with the Latin letter that it looks like. */
const twins: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аα',
    b: 'ьвβ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еε',
    h: 'һнη',
    i: 'іıι',
    j: 'ј',
    k: 'кκ',
    l: 'ӏ',
    m: 'мμ',
    n: 'пν',
    o: 'оοσ',
    p: 'рρ',
    q: 'ԛ',
    s: 'ѕ',
    t: 'тτ',
    u: 'υ',
    v: 'ѵ',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγү',
    z: 'ζ',
    '-': '‐‑‒–—−',
    "'": "''ʼ",
  }).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);
