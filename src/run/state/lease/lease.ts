import { type Problem, problem } from '../../../core/problem/problem.ts';
import { maySend, renewalMs } from './lease-rules.ts';
import { type Stopwatch, startStopwatch } from './stopwatch.ts';

/** The right to change one account's fleet, for one run at a time. */
export interface Lease {
  /** Increases each time the lease passes to another run. */
  readonly epoch: number;
  /**
   * The reason why no call may be sent now; undefined while the lease is certainly held. Called immediately before each
   * request.
   */
  refusal(): Problem | undefined;
  /** Asks the backend whether the lease is still this run's; rejects if the backend can't be reached. */
  confirm(): Promise<boolean>;
  /** Aborted when the lease is lost. */
  readonly lost: AbortSignal;
  /** Releases the lease, unless another run has it now. */
  release(): Promise<void>;
}

/** The work of a backend for a lease that was just taken. */
export interface LeaseKeeper {
  readonly epoch: number;
  /** Started before the backend was asked for the lease. */
  readonly asked: Stopwatch;
  /** False if another run has the lease, or none; rejects if the backend can't be reached. */
  renew(): Promise<boolean>;
  /** Is the lease still this run's? */
  confirm(): Promise<boolean>;
  release(): Promise<void>;
}

/** The delay before a renewal is retried after the backend could not be reached, in milliseconds. */
const retryMs = 1_000;

/**
 * Renews a lease in real time, whatever clock the run uses, until it is released or lost. A lost lease is never
 * regained: a run that was frozen for longer than its lease sends nothing more.
 */
export function holdLease(keeper: LeaseKeeper): Lease {
  const lost = new AbortController();
  let { asked } = keeper;
  let timer: NodeJS.Timeout | undefined;
  let released = false;
  let renewing: Promise<void> = Promise.resolve();

  const isCurrent = (): boolean => {
    if (!maySend(asked())) lost.abort();
    return !lost.signal.aborted;
  };
  const schedule = (ms: number): void => {
    if (released || !isCurrent()) return;
    timer = setTimeout(() => {
      renewing = renew();
    }, ms).unref();
  };
  const renew = async (): Promise<void> => {
    if (!isCurrent()) return;
    const started = startStopwatch();
    try {
      // A renewal that ends too late may have missed that the lease lapsed in the meantime.
      if ((await keeper.renew()) && isCurrent()) asked = started;
      else lost.abort();
      schedule(renewalMs);
    } catch {
      schedule(retryMs);
    }
  };
  schedule(renewalMs);

  return {
    epoch: keeper.epoch,
    lost: lost.signal,
    confirm: () => keeper.confirm(),
    refusal: () => (isCurrent() ? undefined : leaseLost()),
    async release() {
      if (released) return;
      released = true;
      clearTimeout(timer);
      await renewing;
      await keeper.release();
    },
  };
}

/** Rejects a write of a run that has lost its lease. */
export class LeaseIsLost extends Error {}

/** The problem that ends a run whose lease has passed to another. */
export function leaseLost(): Problem {
  return problem(
    'lock-lost',
    'this run has lost the lock of its account: it was frozen, or it could not reach its state, for too long',
    { hint: 'nothing more was sent; apply again to continue' },
  );
}
