import type { CallFailure } from '../../service/client/client.ts';
import { type StepResult, stepFailed, stepUnknown } from './step-result.ts';

/** The result for its step of a failed call that is not repeated. */
export function endedBy(failure: CallFailure, stop: AbortSignal | undefined): StepResult {
  if (failure.outcome === 'not-sent' && stop?.aborted === true)
    return { outcome: 'not-started', failedHosts: [] };
  if (failure.outcome === 'unknown') return stepUnknown(failure.problem);
  return stepFailed(failure.problem, { fatal: isFatal(failure) });
}

/** No later call can succeed: the credentials are refused, writing is forbidden, or the lock is lost. */
function isFatal(failure: CallFailure): boolean {
  const { code } = failure.problem;
  return code === 'not-authenticated' || code === 'read-only' || code === 'lock-lost';
}
