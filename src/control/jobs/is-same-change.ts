import { accountKey } from '../../core/model/account.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { changesOf } from '../../run/state/journal/record.ts';
import type { PlanRecord, Plans } from '../store/plans.ts';
import { readStoredPlan } from './read-stored-plan.ts';
import { withoutTime } from './run-windows.ts';

/**
 * Whether a stored plan changes the same hosts of the same account in the same way as this one. Its checksum also covers
 * the lines that request the changes, which each edit of the file moves.
 */
export async function isSameChange(
  { id, checksum }: Pick<PlanRecord, 'id' | 'checksum'>,
  plan: Plan,
  { store }: { readonly store: { readonly plans: Pick<Plans, 'document'> } },
): Promise<boolean> {
  if (checksum === planChecksum(withoutTime(plan))) return true;
  const text = await store.plans.document(id, 'all');
  const stored = text === undefined ? undefined : readStoredPlan(text, id);
  if (stored?.ok !== true) return false;
  // The name of the account may have been given to another tenant.
  const isSameAccount = accountKey(stored.value.account) === accountKey(plan.account);
  return isSameAccount && isEqual(changesIn(stored.value), changesIn(plan));
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

/** One text for each change, in an order that does not depend on the order of the file. */
function changesIn({ steps }: Plan): readonly string[] {
  return steps
    .flatMap((step) => changesOf(step).map((change) => JSON.stringify([step.kind, change])))
    .toSorted();
}
