import { ok } from '../../core/problem/problem.ts';
import { happen } from '../accounts/rules/happen.ts';
import { wakeAccounts } from '../accounts/rules/wake-accounts.ts';
import { createThreadedExplainer } from '../hosts/rules/explain-over-thread.ts';
import type { ServerWork } from '../http/server-work.ts';
import { testNotification } from '../notifications/rules/notify.ts';
import { diffPlanFiles } from '../plans/rules/plan-files.ts';
import { draftProposal } from '../proposals/rules/draft-proposal.ts';
import { openProposal } from '../proposals/rules/open-proposal.ts';
import { planProposal } from '../proposals/rules/plan-proposal.ts';
import type { JobParts } from '../queue/rules/job-parts.ts';
import { abortRollout, continueRollout, stopRollout } from '../rollouts/rules/change-rollout.ts';
import { startRollout } from '../rollouts/rules/start-rollout.ts';
import { proposeUndo } from '../runs/rules/propose-undo.ts';
import type { ServerParts } from './open-parts.ts';

/** How the API starts work. */
export function createServerWork(parts: ServerParts, jobs: JobParts): ServerWork {
  const { queue } = parts;
  return {
    async check(accounts, kind) {
      // Someone who may also run or approve plans takes responsibility for changes that were undone, stopped, rejected or failed.
      if (kind === 'plan') {
        for (const account of accounts) await happen(account, { kind: 'hold-lifted' }, jobs);
      }
      return queue.send(
        'check',
        accounts.map((key) => ({ key })),
      );
    },
    async rehearse(plan) {
      await queue.send('rehearse', [{ key: plan }]);
    },
    // The worker of the run looks at its record every second. A run that has not begun has no worker yet.
    async wake(account) {
      await queue.send('run', [{ key: account }]);
    },
    wakeAccounts: () => wakeAccounts(jobs),
    undo: (run, by) => proposeUndo(run, by, jobs),
    startRollout: (rollout) => startRollout(rollout, jobs),
    continueRollout: (id, by, reason) => continueRollout(id, by, reason, jobs),
    stopRollout: (id, by, reason) => stopRollout(id, by, reason, jobs),
    abortRollout: (id, by, reason) => abortRollout(id, by, reason, jobs),
    explain: createThreadedExplainer(jobs),
    planFiles: (plan, before) => diffPlanFiles(plan, before, jobs),
    draftProposal: (hosts, change) => draftProposal(hosts, change, jobs),
    planProposal: (draft, signal) => planProposal(draft, jobs, signal),
    openProposal: (draft, words) => openProposal(draft, words, parts),
    async testNotification(name) {
      const sent = await testNotification(name, parts);
      return sent.ok ? ok({ sent: true, message: sent.value }) : sent;
    },
  };
}
