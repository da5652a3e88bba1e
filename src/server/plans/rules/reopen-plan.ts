import type { Store } from '../../store/open-store.ts';
import { keptUnits } from '../decisions/kept-units.ts';
import { isUndo, type PlanRecord } from '../records/plan-record.ts';
import { readContent } from './propose-plan.ts';

/**
 * Makes a plan that a check replaced the open one of its account again, because someone approves it: the changes that the
 * plan after it has too. False if there are none, if their approval would no longer be enough, or if someone has approved the
 * open plan. Call it in the transaction that records the approval.
 */
export async function reopenPlan(plan: PlanRecord, { plans }: Pick<Store, 'plans'>): Promise<boolean> {
  const listed = await plans.list({ visible: 'all', account: plan.account, states: ['waiting'], limit: 1 });
  const open = listed.ok ? listed.value.items[0] : undefined;
  if (open === undefined || open.approvals.length > 0 || isUndo(open) || isUndo(plan)) return false;
  const content = await readContent(plan, { plans });
  const later = await readContent(open, { plans });
  if (content === undefined || later === undefined) return false;
  const kept = keptUnits(
    { plan: content, required: plan.required },
    { plan: later, required: open.required },
  );
  if (kept === undefined) return false;
  const authors = new Set([
    ...(plan.later?.authors ?? []),
    ...(open.required.earlierAuthors ?? []),
    ...(open.author === null ? [] : [open.author]),
  ]);
  return plans.reopen(plan, open, { leftOut: kept.leftOut, authors: kept.hasMore ? [...authors] : [] });
}
