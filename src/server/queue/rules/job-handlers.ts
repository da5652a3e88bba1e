import type { CheckWritten } from '../../accounts/records/check-record.ts';
import { checkAccountJob } from '../../accounts/rules/check-account.ts';
import type { RunJobEnd } from '../../runs/rules/end-run.ts';
import { runPlanJob } from '../../runs/rules/run-plan.ts';
import type { JobHandler } from '../queue.ts';
import type { JobParts } from './job-parts.ts';

type Handler<T> = (...given: Parameters<JobHandler>) => Promise<T>;

export interface AccountJobs {
  readonly check: Handler<CheckWritten | null>;
  readonly run: Handler<RunJobEnd>;
}

/** The handlers of the queues `check` and `run`. A handler that rejects is called again, here or on another worker. */
export function accountJobs(parts: JobParts): AccountJobs {
  return {
    // A check is short: a worker that stops lets it end.
    async check({ key }, signal) {
      const written = await checkAccountJob(key, parts, signal);
      if (written === null && signal.aborted) throw new Error('the check was stopped before its end');
      return written;
    },
    async run({ key, stopping }, signal) {
      const end = await runPlanJob(key, parts, AbortSignal.any([stopping, signal]));
      if (end === 'continue') throw new Error('another worker continues the run');
      return end;
    },
  };
}
