import type { GroupId } from '../../model/group.ts';
import type { LimitName } from '../../model/limits.ts';
import type { ChangeKind, Freeze } from '../../model/policy.ts';
import type { Place } from '../../problem/place.ts';

/** A limit that the plan exceeds, and the exact approval that lifts it. */
export interface Breach {
  readonly limit: LimitName;
  /** The place of the limit; absent for a default. */
  readonly place?: Place;
  /** The group that has the limit; absent for the limit of the whole fleet. No approval lifts the limit of a group. */
  readonly group?: string;
  readonly count: number;
  readonly allowed: number;
  /** True if `--ack` named exactly this count. */
  readonly acknowledged: boolean;
}

/** How many changes of a kind the plan may have without approval. */
export interface PlannedLimit {
  readonly limit: ChangeKind;
  /** The group whose hosts are counted; absent for the whole fleet. */
  readonly groupId?: GroupId;
  readonly allowed: number;
}

/** Hours in which changes of these kinds are made. */
export interface PlannedWindow {
  readonly name: string;
  /** The kinds of the policy that the plan contains. */
  readonly kinds: readonly ChangeKind[];
  /** As written; any of them may be open. */
  readonly only: readonly string[];
  readonly message?: string;
  readonly place: Place;
}

/** When the plan may be applied. Every apply checks this at its start. */
export interface Constraints {
  readonly windows: readonly PlannedWindow[];
  readonly freezes: readonly Freeze[];
}

export type AckKind = ChangeKind;

export type Acks = Readonly<Partial<Record<AckKind, number>>>;
