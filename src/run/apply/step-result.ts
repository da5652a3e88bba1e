import type { HostId } from '../../core/model/observed.ts';
import type { StepOutcome } from '../../core/model/run-event.ts';
import type { FailedHost } from '../../core/plan/types/run-summary.ts';
import type { Problem } from '../../core/problem/problem.ts';

/** The result of one step's calls. */
export interface StepResult {
  readonly outcome: StepOutcome;
  readonly problem?: Problem;
  readonly failedHosts: readonly FailedHost[];
  /** The service refused the credentials: nothing after it can work. */
  readonly fatal?: boolean;
}

export const done: StepResult = { outcome: 'done', failedHosts: [] };

export function stepFailed(problem: Problem, options: { readonly fatal?: boolean } = {}): StepResult {
  return { outcome: 'failed', problem, failedHosts: [], ...options };
}

export function stepUnknown(problem: Problem): StepResult {
  return { outcome: 'unknown', problem, failedHosts: [] };
}

/** The same problem for each of these hosts. */
export function blame(hosts: readonly HostId[], cause: Problem): readonly FailedHost[] {
  return hosts.map((hostId) => ({ hostId, problem: cause }));
}
