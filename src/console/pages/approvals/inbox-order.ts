import type { PlanRow } from '../../../api/plans.ts';

/** Plans in the order of a decision: those for the reader first, then what can't be undone, then the oldest. */
export function inboxOrder(plans: readonly PlanRow[]): readonly PlanRow[] {
  return plans.toSorted(
    (a, b) =>
      Number(b.may_approve.allowed) - Number(a.may_approve.allowed) ||
      Number(b.irreversible > 0) - Number(a.irreversible > 0) ||
      Date.parse(a.created_at) - Date.parse(b.created_at) ||
      (a.id < b.id ? -1 : 1),
  );
}
