import type { HostId } from '../../core/model/host-id.ts';

/** Among many alike changes, one or two others may be a mistake. */
export const few = 2;
export const many = 5;
/** In large plans, this share of the changes counts as few, too. */
const share = 0.01;

/** Are these the exceptions among changes that are otherwise alike? */
function areExceptions(exceptions: number, others: number): boolean {
  return exceptions > 0 && others >= many && exceptions <= Math.max(few, share * (exceptions + others));
}

export interface Rename {
  readonly hostId: HostId;
  readonly name: string | null;
  readonly newName: string;
}

/**
 * Remarks on renames that differ from the others: a number that changes where others keep theirs, another kind of name,
 * or a word in letters of two alphabets. Each rename gets one remark at most.
 */
export function unusualRenames(renames: readonly Rename[]): ReadonlyMap<HostId, string> {
  const remarks = new Map<HostId, string>();
  const mark = (all: readonly Rename[], remark: string) => {
    for (const { hostId } of all) if (!remarks.has(hostId)) remarks.set(hostId, remark);
  };
  mark(
    renames.filter(({ newName }) => mixesAlphabets(newName)),
    'letters of two alphabets',
  );
  const plain = renames.filter(({ hostId }) => !remarks.has(hostId));
  const numbered = plain.filter(({ name, newName }) => numberOf(name) !== '' && numberOf(newName) !== '');
  const changed = numbered.filter(({ name, newName }) => numberOf(name) !== numberOf(newName));
  if (areExceptions(changed.length, numbered.length - changed.length))
    mark(changed, 'few others change their number');
  const kinds = Map.groupBy(plain, ({ name, newName }) => `${kindOf(name)}\n${kindOf(newName)}`);
  const rare = [...kinds.values()].filter((each) => each.length <= few).flat();
  if (areExceptions(rare.length, plain.length - rare.length)) mark(rare, 'few others are renamed this way');
  return remarks;
}

/** The last number of a name, without leading zeros. */
function numberOf(name: string | null): string {
  return /\d+(?=\D*$)/.exec(name ?? '')?.[0].replace(/^0+(?=\d)/, '') ?? '';
}

/** `DESKTOP-` of `DESKTOP-0104`: what a name says about its host. */
function kindOf(name: string | null): string {
  return (name ?? '').replace(/\d.*$/s, '').toLowerCase();
}

function mixesAlphabets(name: string): boolean {
  return /\p{Script=Latin}/u.test(name) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name);
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
  const isUnusual = areExceptions(recent.length, known.length - recent.length);
  return new Set(isUnusual ? recent.map(({ hostId }) => hostId) : []);
}
