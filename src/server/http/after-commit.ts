import { isPassingFault } from '../../run/state/postgres/database-problem.ts';
import type { HttpParts } from './route.ts';

/**
 * Does the work that follows a committed change, such as waking a worker. If it fails, the response is still that of
 * the change, which has happened; the next tick or check does the rest. Undefined after a failure.
 */
export async function afterCommit<Value>(
  { onFault }: Pick<HttpParts, 'onFault'>,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    // The queue reports a database that is away.
    if (!isPassingFault(error)) onFault?.(error, 'after a commit');
    return undefined;
  }
}
