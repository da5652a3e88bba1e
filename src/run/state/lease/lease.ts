import type { Problem } from '../../../core/problem/problem.ts';

/** The right to change one account's fleet, for one run at a time. */
export interface Lease {
  /** Grows each time that the lease passes to another run. */
  readonly epoch: number;
  /** Why no call may be sent now; undefined while the lease is held for sure. Asked right before each request. */
  objection(): Problem | undefined;
  /** Asks the backend whether the lease is still this run's; rejects if the backend can't be reached. */
  confirm(): Promise<boolean>;
  /** Aborted once the lease is lost. */
  readonly lost: AbortSignal;
  /** Gives the lease back, unless another run has it now. */
  release(): Promise<void>;
}
