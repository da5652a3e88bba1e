import { untilAborted } from '../../core/lib/until-aborted.ts';
import { failed, problem, type Result } from '../../core/problem/problem.ts';

/** The result of shared work: a cancelled caller leaves, and the work continues. */
export function untilCancelled<T>(
  work: Promise<Result<T>>,
  signal: AbortSignal | undefined,
): Promise<Result<T>> {
  return untilAborted(work, signal, () => failed(cancelled));
}

const cancelled = problem('cancelled', 'Terraform cancelled the operation while it waited for a list');
