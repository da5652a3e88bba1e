import type { PendingState } from '../../model/install-request.ts';

/**
 * `drift`: the fleet was changed, and the file was not. `pending`: the file was changed, and the fleet was not. `both`:
 * both were changed, to different values. `undecided`: the baseline does not show which. `in-progress`, `in-doubt`: an
 * earlier run requested the install, or may have requested it, and no read shows it yet.
 */
export type DriftKind = 'drift' | 'pending' | 'both' | 'undecided' | PendingState;

/** One attribute of a host, in words. */
export interface DriftValues {
  readonly before?: string;
  readonly observed: string;
  readonly intended: string;
}

/**
 * A value that someone else changed before the last run: if the file requests the value that the previous run had left,
 * then the file is not what changed.
 */
export function valueBefore(
  intended: string,
  before: string | undefined,
  earlier: string | undefined,
): Pick<DriftValues, 'before'> {
  const known = earlier === intended ? earlier : before;
  return known === undefined ? {} : { before: known };
}

export function driftKindOf({ before, observed, intended }: DriftValues): DriftKind {
  if (before === undefined) return 'undecided';
  if (before === observed) return 'pending';
  return before === intended ? 'drift' : 'both';
}
