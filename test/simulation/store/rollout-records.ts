import type { RolloutStore } from '../../../src/run/state/rollout/rollout-store.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { type HoldsLease, memoryRollouts } from '../state/memory-rollouts.ts';
import type { Tables } from './tables.ts';

export function rolloutsIn(tables: Tables, isHeld: HoldsLease): RolloutStore {
  const attempt = async <T>(work: () => T) => work();
  return memoryRollouts(tables, attempt, attempt, isHeld);
}

/** As in the database, free accounts are taken also if others are kept: then the caller rolls its transaction back. */
export function rolloutAccountsIn({ rolloutAccounts }: Tables): Store['rolloutAccounts'] {
  return {
    async claim(rollout, accounts, isOver) {
      for (const account of accounts)
        if (rolloutAccounts.get(account) === undefined) rolloutAccounts.set(account, rollout);
      const kept = [];
      for (const account of accounts.toSorted()) {
        const other = rolloutAccounts.get(account) ?? rollout;
        if (other !== rollout && !(await isOver({ account, rollout: other })))
          kept.push({ account, rollout: other });
      }
      if (kept.length === 0) for (const account of accounts) rolloutAccounts.set(account, rollout);
      return kept;
    },
    holders: async (accounts) =>
      new Map([...rolloutAccounts.entries()].filter(([account]) => accounts.includes(account))),
  };
}
