/**
 * The rules of the folder of a lock, as pure functions: the exploration of every interleaving in the tests is built from
 * them.
 *
 * Each change of holder creates the file of the next epoch, `7.json`, exclusively. The highest epoch has the lock, until
 * `7.free` exists. No process removes the highest epoch, so the highest epoch never decreases, and each epoch has at most
 * one holder.
 */
export interface HighestEpoch {
  /** Zero if there is none. */
  readonly epoch: number;
  readonly isFree: boolean;
}

export function epochFile(epoch: number): string {
  return `${epoch}.json`;
}

export function freeFile(epoch: number): string {
  return `${epoch}.free`;
}

export function highestIn(names: readonly string[]): HighestEpoch {
  const epoch = Math.max(0, ...names.map(epochOf));
  return { epoch, isFree: names.includes(freeFile(epoch)) };
}

/**
 * Asked after the file of this epoch was created. A slow process may have created it again, after later holders had
 * removed it.
 */
export function hasWon(names: readonly string[], epoch: number): boolean {
  return highestIn(names).epoch === epoch;
}

/**
 * What the holder of this epoch may remove, in this order. The order is essential for the fence: an epoch is removed
 * before the next one, and a holder before the mark that its epoch is free.
 */
export function removableBelow(names: readonly string[], epoch: number): readonly string[] {
  return names
    .filter((name) => epochOf(name) > 0 && epochOf(name) < epoch)
    .sort((a, b) => epochOf(a) - epochOf(b) || Number(isFreeFile(a)) - Number(isFreeFile(b)));
}

export interface FenceCheck {
  readonly file: string;
  readonly must: 'be absent' | 'be its own';
}

/**
 * The holder of this epoch makes these checks in this order before it acts. Its own file is last: later holders can only
 * have removed one of the other files after this one.
 */
export function fenceOf(epoch: number): readonly FenceCheck[] {
  return [
    { file: epochFile(epoch + 1), must: 'be absent' },
    { file: freeFile(epoch), must: 'be absent' },
    { file: epochFile(epoch), must: 'be its own' },
  ];
}

/**
 * The next epoch must be another number that a file name spells the same way. No folder of runs reaches this number.
 */
export const lastEpoch = 999_999_999_999_999;

/** Zero for a file that is not of an epoch, for example a draft. */
function epochOf(name: string): number {
  return Number(/^([1-9]\d{0,14})\.(?:json|free)$/.exec(name)?.[1] ?? 0);
}

function isFreeFile(name: string): boolean {
  return name.endsWith('.free');
}
