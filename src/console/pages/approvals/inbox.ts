import type { PlanRow } from '../../../api/plans.ts';

/** The plans that wait: first those that the reader may decide on, then the others. */
export interface Inbox {
  readonly mine: readonly PlanRow[];
  readonly others: readonly PlanRow[];
}

/** Sorts what waits: changes that can't be undone first, then the oldest. */
export function inboxOf(plans: readonly PlanRow[]): Inbox {
  const sorted = plans
    .filter(({ state }) => state === 'waiting')
    .sort(
      (a, b) =>
        Number(b.irreversible > 0) - Number(a.irreversible > 0) ||
        Date.parse(a.created_at) - Date.parse(b.created_at) ||
        (a.id < b.id ? -1 : 1),
    );
  return {
    mine: sorted.filter(({ may_approve: may }) => may.allowed),
    others: sorted.filter(({ may_approve: may }) => !may.allowed),
  };
}
