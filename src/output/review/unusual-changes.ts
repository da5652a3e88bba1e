import { printable } from '../../core/lib/printable.ts';
import type { GroupId, HostId } from '../../core/model/observed.ts';
import { nameKinds, nearlyAll, splitName } from './name-kinds.ts';

/** Among many alike changes, one or two others may be a mistake. */
const few = 2;
const many = 5;
/** A kind is odd if this many times as many would be usual. */
const certain = 10;
/** In large plans, this share of the changes counts as few, too. */
const share = 0.03;

/** Are these the exceptions among changes that are otherwise alike? */
export function areExceptions(exceptions: number, others: number): boolean {
  return exceptions > 0 && others >= many && exceptions <= Math.max(few, share * (exceptions + others));
}

/**
 * The changes whose kind few others have, if most have a common one. A change without a kind is unlike all others.
 * `company`: how many common changes there must be for each rare one.
 */
export function rareAmong<T>(
  all: readonly T[],
  kindOf: (item: T) => string | undefined,
  company = many,
): readonly T[] {
  const kinds = [...Map.groupBy(all, (each) => kindOf(each) ?? '').entries()];
  const rare = kinds.flatMap(([kind, alike]) => (kind !== '' && alike.length <= few ? alike : []));
  const others = all.length - rare.length;
  const isUnusual = rare.length <= Math.max(many, share * all.length) && others >= company * rare.length;
  return isUnusual ? rare : [];
}

export interface UnusualRename {
  readonly hostId: HostId;
  readonly name: string | null;
  readonly newName: string;
}

/**
 * Remarks on renames that differ from the others: a number that changes where others keep theirs, digits that are missing,
 * another kind of name, the name of a deleted host, a blank at an end, or a word in letters of two alphabets. Each rename
 * gets one remark at most.
 */
export function unusualRenames(
  renames: readonly UnusualRename[],
  deletedNames: ReadonlySet<string> = new Set(),
): ReadonlyMap<HostId, string> {
  const remarks = new Map<HostId, string>();
  const mark = (all: readonly UnusualRename[], remark: string) => {
    for (const { hostId } of all) if (!remarks.has(hostId)) remarks.set(hostId, remark);
  };
  mark(
    renames.filter(({ newName }) => mixesAlphabets(newName)),
    'letters of two alphabets',
  );
  const unseen = renames.filter(({ newName }) => printable(newName) !== newName);
  if (areExceptions(unseen.length, renames.length - unseen.length))
    mark(unseen, 'has characters that cannot be seen');
  mark(
    renames.filter(({ newName }) => /^\s|\s$/u.test(newName)),
    'starts or ends with a blank',
  );
  const plain = renames.filter(({ hostId }) => !remarks.has(hostId));
  const reused = plain.filter(({ newName }) => deletedNames.has(newName));
  if (areExceptions(reused.length, plain.length - reused.length))
    mark(reused, 'gets the name of a deleted host');
  const kindBefore = nameKinds(plain.map(({ name }) => name ?? ''));
  const kindAfter = nameKinds(plain.map(({ newName }) => newName));
  const before = ({ name }: UnusualRename) => kindBefore(name ?? '');
  const after = ({ newName }: UnusualRename) =>
    `${kindAfter(newName)} ${newName.replace(/[\p{L}\p{N}]+/gu, 'x')}`;
  const wayOf = (rename: UnusualRename) => `${before(rename)} ${after(rename)}`;
  const ways = [...Map.groupBy(plain, wayOf).values()];
  // Small ways are company for each other, except for those that give all hosts new numbers.
  const keeping = ways.filter((way) => way.filter(changesNumber).length <= Math.max(few, way.length / 2));
  for (const alike of [...ways, keeping.flat()]) {
    const numbered = alike.filter(({ name, newName }) => numberOf(name) !== '' && numberOf(newName) !== '');
    const changed = numbered.filter(changesNumber);
    if (areExceptions(changed.length, numbered.length - changed.length))
      mark(changed, 'few others change their number');
  }
  for (const alike of [...ways, plain]) {
    const numbered = alike.filter(({ newName }) => numberOf(newName) !== '');
    const digits = withUnusualDigits(numbered);
    if (areExceptions(digits.length, numbered.length - digits.length))
      mark(digits, 'few others gain or lose digits');
  }
  for (const alike of [...ways, keeping.flat()]) {
    const named = alike.filter(({ name }) => name !== null);
    const changed = named.filter((each) => !keepsLastWord(each));
    if (areExceptions(changed.length, named.length - changed.length))
      mark(changed, 'few others change their last word');
  }
  // Where names of many kinds get names of many kinds, few have the same two by chance.
  const [from, to] = [Map.groupBy(plain, before), Map.groupBy(plain, after)];
  const isByChance = (rename: UnusualRename) => {
    const [others, alike] = [from.get(before(rename))?.length ?? 0, to.get(after(rename))?.length ?? 0];
    return Math.min(others, alike) > few && (others * alike) / plain.length < many * few;
  };
  mark(
    rareAmong(plain, (each) => (isByChance(each) ? undefined : wayOf(each))),
    'few others are renamed this way',
  );
  return remarks;
}

function changesNumber({ name, newName }: UnusualRename): boolean {
  return numberOf(name) !== numberOf(newName);
}

/** Is the last word of the new name, such as a serial number, a word of the name before? */
function keepsLastWord({ name, newName }: UnusualRename): boolean {
  const [before, after] = [splitName(name ?? ''), splitName(newName)];
  return before.includes(after.at(-1) ?? '');
}

/**
 * Renames that change the number of digits unlike others, to a number of digits that others do not have: `PC-00105` to
 * `KIOSK-105` among names of five digits. `PC-9` to `KIOSK-009` among `PC-10` to `KIOSK-010` is not reported.
 */
function withUnusualDigits(renames: readonly UnusualRename[]): readonly UnusualRename[] {
  const digitsOf = (name: string | null) => lastNumber(name).length;
  const gain = ({ name, newName }: UnusualRename) => digitsOf(newName) - digitsOf(name);
  const usualGain = nearlyAll(renames.map(gain));
  const usualDigits = nearlyAll(renames.map(({ newName }) => digitsOf(newName)));
  // Of new numbers, the first few have fewer digits, unless zeros fill them up.
  if (usualGain === undefined && !renames.some(({ newName }) => lastNumber(newName).startsWith('0')))
    return [];
  return renames.filter((each) => gain(each) !== usualGain && digitsOf(each.newName) !== usualDigits);
}

function lastNumber(name: string | null): string {
  // A pattern that searches for the end of the text would take quadratic time for a hostile name.
  return name?.match(/\d+/g)?.at(-1) ?? '';
}

/** The last number of a name, without leading zeros. */
function numberOf(name: string | null): string {
  return lastNumber(name).replace(/^0+(?=\d)/, '');
}

function mixesAlphabets(name: string): boolean {
  return /\p{Script=Latin}/u.test(name) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name);
}

export interface Placed {
  readonly hostId: HostId;
  readonly name: string | null;
  /** What happens to it, such as its groups before and after; absent if nothing of this kind happens. */
  readonly way?: string | undefined;
}

/**
 * Hosts with names of another kind than almost all others to which the same happens. A kind that is spread over many companies
 * has few members in a small one by chance: it must be far more common elsewhere, or have hardly any members.
 */
export function unlikeTheirCompany(hosts: readonly Placed[]): ReadonlySet<HostId> {
  const kindOfName = nameKinds(hosts.map(({ name }) => name ?? ''));
  const wordsOf = new Map(hosts.map(({ hostId, name }) => [hostId, kindOfName(name ?? '').split('-')]));
  const most = Math.max(0, ...new Set([...wordsOf.values()].map(({ length }) => length)));
  const found = new Set<HostId>();
  const look = (kindOf: (words: readonly string[]) => string) => {
    const kinds = new Map([...wordsOf].map(([hostId, words]) => [hostId, kindOf(words)]));
    for (const hostId of oddOnes(hosts, kinds)) found.add(hostId);
  };
  // Where few names have the same words, their first words or one of them can still be odd.
  for (let at = 1; at < most; at += 1) {
    look((words) => words.slice(0, at + 1).join('-'));
    if (at > 1) look((words) => (words[at] ?? '').replace(/^[*?#]$/, ''));
  }
  return found;
}

function oddOnes(hosts: readonly Placed[], kinds: ReadonlyMap<HostId, string>): readonly HostId[] {
  const kindsOf = Map.groupBy(kinds.values(), (kind) => kind);
  // A few names without a common word have nothing in common with each other either.
  const isOpen = (kind: string) =>
    !/[^-*?#]/.test(kind) && (kindsOf.get(kind)?.length ?? 0) <= Math.max(many, share * hosts.length);
  const companies = [...Map.groupBy(hosts, ({ way }) => way)].flatMap(([way, all]) =>
    way === undefined
      ? []
      : {
          size: all.length,
          kinds: Map.groupBy(all, ({ hostId }) => {
            const kind = kinds.get(hostId) ?? '';
            return kind !== '' && isOpen(kind) ? `${kind} ${hostId}` : kind;
          }),
        },
  );
  const sums = new Map<string, KindSums>();
  for (const { size, kinds: ofKinds } of companies)
    for (const [kind, { length }] of ofKinds) {
      const { alike, all, parts } = sums.get(kind) ?? noSums;
      sums.set(kind, { alike: alike + length, all: all + size, parts: parts + 1 });
    }
  return companies.flatMap(({ size, kinds: ofKinds }) => {
    const members = [...ofKinds].flatMap(([kind, alike]) => {
      const { alike: everywhere, all, parts } = sums.get(kind) ?? noSums;
      const others = everywhere - alike.length;
      const isAtHomeElsewhere = (size * others) / Math.max(1, all - size) >= certain * alike.length;
      const isSpread = others / Math.max(1, parts - 1) >= few && !isAtHomeElsewhere;
      const isOdd = isAtHomeElsewhere || everywhere < many;
      return alike.map(({ hostId }) => ({ hostId, kind: isSpread ? undefined : kind, isOdd }));
    });
    // Where names vary a lot, many kinds are rare, which says nothing about any of them.
    return rareAmong(members, ({ kind }) => kind).flatMap(({ hostId, isOdd }) => (isOdd ? hostId : []));
  });
}

/** How many hosts are of a kind, how many are in the companies that have it, and how many such companies there are. */
interface KindSums {
  readonly alike: number;
  readonly all: number;
  readonly parts: number;
}
const noSums: KindSums = { alike: 0, all: 0, parts: 0 };

export interface Reorganized {
  readonly hostId: HostId;
  readonly groupId: GroupId;
  readonly isRenamed: boolean;
  readonly isMoved: boolean;
}

/** Remarks on hosts that only move, or only get a name, while almost all others of their group do both. */
export function unlikeTheirGroup(hosts: readonly Reorganized[]): ReadonlyMap<HostId, string> {
  const remarks = new Map<HostId, string>();
  for (const group of Map.groupBy(hosts, ({ groupId }) => groupId).values()) {
    const both = group.filter(({ isRenamed, isMoved }) => isRenamed && isMoved).length;
    const only = (test: (host: Reorganized) => boolean, remark: string) => {
      const found = group.filter(test);
      if (areExceptions(found.length, both)) for (const { hostId } of found) remarks.set(hostId, remark);
    };
    only(({ isRenamed, isMoved }) => isRenamed && !isMoved, 'few others stay in the group');
    only(({ isRenamed, isMoved }) => isMoved && !isRenamed, 'few others keep their name');
  }
  return remarks;
}

const day = 86_400_000;
/** A host that was used within this time may still be in use. */
const recentDays = 30;

export interface Deletion {
  readonly hostId: HostId;
  /** When the host went offline; absent if it is online, or if that is not known. */
  readonly offlineSince?: string | undefined;
}

/** The deletions of hosts that were online until recently, among hosts that have been offline for long. */
export function recentlyOnline(deletions: readonly Deletion[], takenAt: string): ReadonlySet<HostId> {
  const known = deletions.filter(({ offlineSince }) => offlineSince !== undefined);
  const recent = known.filter(
    ({ offlineSince = '' }) => Date.parse(takenAt) - Date.parse(offlineSince) < recentDays * day,
  );
  // A deletion can't be undone, so a few others are enough to compare it with.
  const isUnusual = recent.length < known.length / 2 && recent.length <= Math.max(few, share * known.length);
  return new Set(isUnusual ? recent.map(({ hostId }) => hostId) : []);
}
