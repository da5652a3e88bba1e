import type { JobHandler } from '../queue/queue.ts';
import { checkAccountJob } from './check-account.ts';
import type { JobParts } from './job-parts.ts';
import { runPlanJob } from './run-plan.ts';

/** The handlers of the queues `check` and `run`. A handler that rejects is called again, here or at another worker. */
export function accountJobs(parts: JobParts): { readonly check: JobHandler; readonly run: JobHandler } {
  return {
    // A check is short: a worker that stops lets it end.
    async check({ key }, signal) {
      const written = await checkAccountJob(key, parts, signal);
      if (written === null && signal.aborted) throw new Error('the check was stopped before its end');
    },
    async run({ key, stopping }, signal) {
      const end = await runPlanJob(key, parts, AbortSignal.any([stopping, signal]));
      if (end === 'continue') throw new Error('another worker continues the run');
    },
  };
}
