import type { Account } from '../../../src/core/model/account.ts';
import { failed, ok, problem, type Result } from '../../../src/core/problem/problem.ts';
import { leaseLost } from '../../../src/run/state/lease/lease.ts';
import { type RolloutLog, rolloutLockKey } from '../../../src/run/state/rollout/rollout.ts';
import type { RolloutStore } from '../../../src/run/state/rollout/rollout-store.ts';
import type { Table } from '../store/table.ts';

type Attempt = <T>(work: () => Result<T>) => Promise<Result<T>>;

/** Whether a lease is still that of this epoch. */
export type HoldsLease = (of: Account, epoch: number) => boolean;

/** Where rollouts are, and their saved plans by rollout and account. */
export interface RolloutTables {
  readonly rollouts: Table<RolloutLog>;
  readonly rolloutPlans: Table<string>;
}

/** The rollouts of the shared state, and those of the store: as in PostgreSQL, they are the same. */
export function memoryRollouts(
  { rollouts, rolloutPlans }: RolloutTables,
  attempt: Attempt,
  reading: Attempt,
  isHeld: HoldsLease,
): RolloutStore {
  const planKey = (id: string, account: string) => JSON.stringify([id, account]);
  return {
    create: (head) =>
      attempt(() => {
        if (rollouts.get(head.rollout_id) !== undefined)
          return failed(problem('state', `there is already a rollout ${head.rollout_id}`));
        rollouts.set(head.rollout_id, { head, events: [], revision: 0 });
        return ok(null);
      }),
    savePlan: (id, account, text) =>
      attempt(() => {
        rolloutPlans.set(planKey(id, account), text);
        return ok(null);
      }),
    readPlan: (id, account) => reading(() => ok(rolloutPlans.get(planKey(id, account)) ?? null)),
    async append(id, revision, events, lease) {
      if (lease?.refusal() !== undefined) return failed(leaseLost());
      return attempt(() => {
        if (lease !== undefined && !isHeld(rolloutLockKey(id), lease.epoch)) return failed(leaseLost());
        const log = rollouts.get(id);
        if (log?.revision !== revision) return ok(false);
        rollouts.set(id, { ...log, events: [...log.events, ...events], revision: revision + 1 });
        return ok(true);
      });
    },
    read: (id) => reading(() => ok(rollouts.get(id) ?? null)),
    list: () =>
      reading(() =>
        ok(
          [...rollouts.entries()]
            .map(([id]) => id)
            .toSorted()
            .toReversed(),
        ),
      ),
    remove: (ids) =>
      attempt(() => {
        for (const id of ids) {
          rollouts.delete(id);
          for (const [key] of rolloutPlans.entries()) if (JSON.parse(key)[0] === id) rolloutPlans.delete(key);
        }
        return ok(null);
      }),
  };
}
