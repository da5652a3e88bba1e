import type { HostId } from '../../model/host-id.ts';
import type { ChangeKind } from '../../model/policy.ts';
import type { Reason } from './step.ts';

/** One change of one host, from its observed value to the intended one; temporary renames are left out. */
export interface IntendedChange {
  readonly kind: ChangeKind;
  readonly hostId: HostId;
  /** The name it has now. */
  readonly name: string | null;
  /** The intended name, or the name of the intended group; null for no group, and for the other kinds. */
  readonly to: string | null;
  readonly reason: Reason;
}

/** A plan beside the one that the base of a change would make on the same fleet. */
export interface Comparison {
  /** What it was compared with, as it was given. */
  readonly base: string;
  /** What the change itself asks for. */
  readonly introduced: readonly IntendedChange[];
  /** What would happen without it, too: nobody has applied it yet. */
  readonly pending: readonly IntendedChange[];
  /** What would happen without it, too, as someone changed the fleet since the last run. */
  readonly drift: readonly IntendedChange[];
  /** What would happen without it, and does not with it. */
  readonly reverted: readonly IntendedChange[];
}
