import type { HostId } from '../../model/observed.ts';
import type { ChangeKind } from '../../model/policy.ts';
import type { Reason } from './step.ts';

/** One change of one host, from its observed value to the intended one; temporary renames are left out. */
export interface IntendedChange {
  readonly kind: ChangeKind;
  readonly hostId: HostId;
  /** The current name. */
  readonly name: string | null;
  /** The intended name, or the name of the intended group; null for no group, and for the other kinds. */
  readonly to: string | null;
  readonly reason: Reason;
}

/** A plan compared with the one that the base of a change would make on the same fleet. */
export interface Comparison {
  /** The base, unchanged. */
  readonly base: string;
  /** What the change itself requests. */
  readonly introduced: readonly IntendedChange[];
  /** Changes that would also happen without it, because nobody has applied them yet. */
  readonly pending: readonly IntendedChange[];
  /** Changes that would also happen without it, because someone changed the fleet since the last run. */
  readonly drift: readonly IntendedChange[];
  /** Changes that would happen without it, but not with it. */
  readonly reverted: readonly IntendedChange[];
}
