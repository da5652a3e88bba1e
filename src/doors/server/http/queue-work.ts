import { queueRun } from '../../../control/jobs/queue-run.ts';
import type { Queue } from '../../../control/queue/queue.ts';
import type { Store } from '../../../control/store/open-store.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed } from '../../../core/problem/result.ts';
import type { ServerWork } from './server-work.ts';

export interface QueueWorkParts {
  readonly store: Store;
  readonly queue: Pick<Queue, 'send'>;
}

/** The work of requests as jobs of the queue. */
export function createQueueWork({ store, queue }: QueueWorkParts): ServerWork {
  return {
    async check(accounts) {
      // A check plans, too: a plan is what is left of it if the account differs.
      await queue.send(
        'check',
        accounts.map((key) => ({ key })),
      );
      return accounts.length;
    },
    async run(plan, by) {
      await queueRun({ store, queue }, plan, by, null);
    },
    // The worker of the run reads the request from the store.
    async stop() {},
    undo: async () => failed(notYet),
    stopRollout: async () => failed(notYet),
    resumeRollout: async () => failed(notYet),
    abortRollout: async () => failed(notYet),
    testNotification: async () => failed(notYet),
  };
}

const notYet = problem('not-allowed', 'This server can not do this yet', { hint: 'use the command line' });
