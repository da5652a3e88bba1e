import type { Place } from '../problem/problem.ts';
import type { IgnoredAttribute } from './entry.ts';
import type { HostId } from './observed.ts';

/** A difference that someone has reviewed and accepts for a time. */
export interface KnownDrift {
  /** By its id, or by its current or intended name. */
  readonly host: { readonly id: HostId } | { readonly name: string };
  readonly attributes: readonly IgnoredAttribute[];
  readonly reason: string;
  /** An RFC 3339 time from which the difference counts again. */
  readonly until?: string;
  readonly place: Place;
}
