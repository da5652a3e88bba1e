import { problem } from '../../../src/core/problem/problem.ts';
import { failed, ok } from '../../../src/core/problem/result.ts';
import { leaseLost } from '../../../src/run/state/lease/hold-lease.ts';
import type { RolloutStore } from '../../../src/run/state/rollout/rollout-store.ts';
import type { RolloutAccounts } from '../../../src/server/rollouts/records/rollout-accounts.ts';
import type { Tables } from './tables.ts';

type Simulated = 'create' | 'savePlan' | 'append' | 'read';

export function rolloutsIn({ rollouts }: Tables): Pick<RolloutStore, Simulated> {
  return {
    async create(head) {
      if (rollouts.get(head.rollout_id) !== undefined)
        return failed(problem('state', `there is already a rollout ${head.rollout_id}`));
      rollouts.set(head.rollout_id, { head, events: [], revision: 0 });
      return ok(null);
    },
    savePlan: async () => ok(null),
    async append(id, revision, events, lease) {
      if (lease !== undefined && (lease.refusal() !== undefined || !(await lease.confirm())))
        return failed(leaseLost());
      const log = rollouts.get(id);
      if (log?.revision !== revision) return ok(false);
      rollouts.set(id, { ...log, events: [...log.events, ...events], revision: revision + 1 });
      return ok(true);
    },
    read: async (id) => ok(rollouts.get(id) ?? null),
  };
}

export function rolloutAccountsIn({ rolloutAccounts }: Tables): RolloutAccounts {
  return {
    async claim(rollout, accounts, isOver) {
      const kept = [];
      for (const account of accounts) {
        const other = rolloutAccounts.get(account);
        if (other === undefined || other === rollout || (await isOver({ account, rollout: other }))) continue;
        kept.push({ account, rollout: other });
      }
      if (kept.length === 0) for (const account of accounts) rolloutAccounts.set(account, rollout);
      return kept;
    },
    holder: async (account) => rolloutAccounts.get(account),
  };
}
