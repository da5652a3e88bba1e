import { abortRollout, resumeRollout, stopRollout } from '../../control/jobs/change-rollout.ts';
import { createThreadedExplainer } from '../../control/jobs/explain-over-thread.ts';
import type { JobParts } from '../../control/jobs/job-parts.ts';
import { testNotification } from '../../control/jobs/notify.ts';
import { proposeUndo } from '../../control/jobs/propose-undo.ts';
import { queueRun, wakeRuns } from '../../control/jobs/queue-run.ts';
import { startRollout } from '../../control/jobs/start-rollout.ts';
import { ok } from '../../core/problem/result.ts';
import type { ServerWork } from './http/server-work.ts';
import type { ServerParts } from './open-parts.ts';

/** How the API starts work. */
export function createServerWork(parts: ServerParts, jobs: JobParts): ServerWork {
  const { queue } = parts;
  return {
    async check(accounts, kind) {
      // Someone who may also run or approve plans takes responsibility for changes that were undone, stopped, rejected or failed.
      if (kind === 'plan') {
        await parts.store.accounts.setHold(accounts, null);
        await parts.store.plans.endRejections(accounts);
      }
      return queue.send(
        'check',
        accounts.map((key) => ({ key })),
      );
    },
    async run(plan, by) {
      await queueRun(jobs, plan, by, null);
    },
    async rehearse(plan) {
      await queue.send('rehearse', [{ key: plan }]);
    },
    // The worker of the run looks at its record every second. A run that has not begun has no worker yet.
    async wake({ account }) {
      await queue.send('run', [{ key: account }]);
    },
    resume: (accounts) => wakeRuns(accounts, jobs),
    undo: (run, by) => proposeUndo(run, by, jobs),
    startRollout: (rollout) => startRollout(rollout, jobs),
    resumeRollout: (id, by, reason) => resumeRollout(id, by, reason, jobs),
    stopRollout: (id, by, reason) => stopRollout(id, by, reason, jobs),
    abortRollout: (id, by, reason) => abortRollout(id, by, reason, jobs),
    explain: createThreadedExplainer(jobs),
    async testNotification(name) {
      const sent = await testNotification(name, parts);
      return sent.ok ? ok({ sent: true, message: sent.value }) : sent;
    },
  };
}
