import type { AsPlanned } from './since-plan.ts';

export interface OperationOptions {
  /**
   * Ends the operation if none of its calls is in flight; a call that was sent is awaited. Parts with the same signal
   * are one operation of Terraform.
   */
  readonly signal?: AbortSignal;
  /**
   * The state that the plan showed: nothing is sent for a host that someone else has changed since. Absent: there is no
   * plan.
   */
  readonly planned?: AsPlanned;
}
