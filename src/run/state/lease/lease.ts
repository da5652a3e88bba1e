import type { Problem } from '../../../core/problem/problem.ts';

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
