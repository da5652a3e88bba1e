import type { Result } from '../../../core/problem/problem.ts';
import type { Lease } from '../lease/lease.ts';
import type { RolloutLog } from './rollout.ts';
import type { RolloutEvent, RolloutHead } from './rollout-record.ts';

/** Rollouts and their saved plans, shared by all users of the same state. No method rejects. */
export interface RolloutStore {
  /** Saves a head without events; fails if the id is taken. */
  create(head: RolloutHead): Promise<Result<null>>;
  /** Saves the text of an account's plan, compressed. */
  savePlan(rolloutId: string, account: string, text: string): Promise<Result<null>>;
  /** Null if the rollout has no plan for this account. */
  readPlan(rolloutId: string, account: string): Promise<Result<string | null>>;
  /**
   * Appends one entry if exactly `revision` entries are there (compare and set); false if another process has appended
   * since. With a lease it fails once the lease is lost.
   */
  append(
    rolloutId: string,
    revision: number,
    events: readonly RolloutEvent[],
    lease?: Pick<Lease, 'epoch' | 'confirm' | 'refusal'>,
  ): Promise<Result<boolean>>;
  /** Null if there is no such rollout. */
  read(rolloutId: string): Promise<Result<RolloutLog | null>>;
  /** The ids, latest first. */
  list(): Promise<Result<readonly string[]>>;
  /** Removes rollouts with their plans. */
  remove(rolloutIds: readonly string[]): Promise<Result<null>>;
}
