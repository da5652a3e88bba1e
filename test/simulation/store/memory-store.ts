import { ok } from '../../../src/core/problem/problem.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import type { HoldsLease } from '../state/memory-rollouts.ts';
import { accountsIn } from './account-records.ts';
import { ignoresIn } from './ignore-records.ts';
import { notificationsIn } from './notification-records.ts';
import { pausesIn } from './pause-records.ts';
import { plansIn } from './plan-records.ts';
import { rolloutAccountsIn, rolloutsIn } from './rollout-records.ts';
import { runsIn } from './run-records.ts';
import { sourcesIn } from './source-records.ts';
import type { Tables } from './tables.ts';

export interface MemoryStoreParts {
  /** The time of the database, in milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Absent: nobody takes leases. */
  readonly isHeld?: HoldsLease;
}

type Nouns =
  | 'accounts'
  | 'plans'
  | 'runs'
  | 'pauses'
  | 'sources'
  | 'rolloutAccounts'
  | 'rollouts'
  | 'rehearsals'
  | 'ignores'
  | 'history'
  | 'events'
  | 'notifications'
  | 'covered'
  | 'causes';

/** The functions of the store that the jobs and decisions of the server use. */
export type StoreFunctions = {
  readonly [Noun in Nouns]: Partial<Store[Noun]>;
};

/**
 * The same rules as those of the database, on tables in memory. Every function is one statement: nothing runs in
 * between.
 */
export function storeOn(
  tables: Tables,
  { now, newId, isHeld = () => false }: MemoryStoreParts,
): StoreFunctions {
  return {
    accounts: accountsIn(tables, now),
    plans: plansIn(tables, now, newId),
    runs: runsIn(tables, now, newId),
    pauses: pausesIn(tables, now, newId),
    sources: sourcesIn(tables, now),
    rolloutAccounts: rolloutAccountsIn(tables),
    rollouts: rolloutsIn(tables, isHeld),
    rehearsals: { giveUp: async () => {} },
    ignores: ignoresIn(tables, now),
    history: { count: async () => {} },
    events: { append: async () => {} },
    notifications: notificationsIn(tables, now),
    // No notice about a cause is simulated.
    causes: { list: async () => ok({ items: [] }) },
    covered: { digestsOf: async () => ok(new Map()) },
  };
}
