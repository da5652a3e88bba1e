import type { Place } from '../problem/place.ts';
import type { IgnoredAttribute } from './entry.ts';
import type { HostId } from './host-id.ts';

/** A difference that someone has reviewed and accepts for a time. */
export interface KnownDrift {
  /** By its id, or by any name that it has or is to have. */
  readonly host: { readonly id: HostId } | { readonly name: string };
  readonly attributes: readonly IgnoredAttribute[];
  readonly reason: string;
  /** RFC 3339: from then on it counts again. */
  readonly until?: string;
  readonly place: Place;
}
