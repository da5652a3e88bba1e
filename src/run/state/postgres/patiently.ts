import { startStopwatch } from '../lease/stopwatch.ts';
import { isPassingFault } from './database-problem.ts';

/** How long to wait for an unavailable database, in milliseconds. */
const patienceMs = 10_000;
const retryMs = 250;

/** Repeats work that fails because the database is unavailable. */
export async function patiently<T>(
  sleep: (ms: number) => Promise<unknown>,
  work: (isRetry: boolean) => Promise<T>,
): Promise<T> {
  const waited = startStopwatch();
  for (let isRetry = false; ; isRetry = true) {
    try {
      return await work(isRetry);
    } catch (error) {
      if (!isPassingFault(error) || waited() > patienceMs) throw error;
      await sleep(retryMs);
    }
  }
}
