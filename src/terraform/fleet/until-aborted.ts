import { failed, problem, type Result } from '../../core/problem/problem.ts';

/** The result of shared work: a cancelled caller leaves, and the work continues. */
export function untilAborted<T>(
  work: Promise<Result<T>>,
  signal: AbortSignal | undefined,
): Promise<Result<T>> {
  if (signal === undefined) return work;
  if (signal.aborted) return Promise.resolve(cancelled());
  return new Promise((resolve, reject) => {
    const leave = () => resolve(cancelled());
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function cancelled() {
  return failed(problem('cancelled', 'Terraform cancelled the operation while it waited for a list'));
}
