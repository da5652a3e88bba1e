import type { Clock } from '../../../core/lib/surroundings.ts';
import { failed, problem, type Result } from '../../../core/problem/problem.ts';
import type { Lease } from './lease.ts';
import { describeHolder, type LockHolder, lockHeld } from './lease-holder.ts';

export interface LockRequest {
  readonly clock: Clock;
  /** How long to wait for another run to end, in milliseconds. */
  readonly timeoutMs: number;
  readonly holder: LockHolder;
  /** Called once, when the wait begins; null if the holder is unknown. */
  readonly onWait?: (holder: LockHolder | null) => void;
  readonly signal?: AbortSignal;
}

/** A lock that another run holds. */
export interface HeldLock {
  /** Looks up the holder with its run; null if the holder is unknown. */
  holder(): Promise<LockHolder | null>;
  /** What an unknown holder is called. */
  readonly unknown: string;
}

/** Takes a lock, or waits for it: `take` is called every `pollMs` until it takes the lock. */
export async function waitForLock(
  { clock, timeoutMs, onWait, signal }: LockRequest,
  pollMs: number,
  take: () => Promise<Result<Lease> | HeldLock>,
): Promise<Result<Lease>> {
  const giveUpAt = clock.now() + timeoutMs;
  for (let isWaiting = false; ; isWaiting = true) {
    const taken = await take();
    if ('ok' in taken) return taken;
    if (signal?.aborted === true) return failed(problem('cancelled', 'stopped while waiting for the lock'));
    const left = giveUpAt - clock.now();
    if (left <= 0) {
      const other = await taken.holder();
      return failed(lockHeld(other === null ? taken.unknown : describeHolder(other)));
    }
    if (!isWaiting) onWait?.(await taken.holder());
    await clock.sleep(Math.min(pollMs, left), signal);
  }
}
