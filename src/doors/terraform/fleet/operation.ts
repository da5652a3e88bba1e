import type { AsPlanned } from './since-plan.ts';

export interface OperationOptions {
  /**
   * Ends the operation if nothing is on its way for it; a call that was sent is awaited. What has the same signal is
   * one operation of Terraform.
   */
  readonly signal?: AbortSignal;
  /** What the plan showed: nothing is sent for a host that someone else has changed since. Absent: there is no plan. */
  readonly planned?: AsPlanned;
}
