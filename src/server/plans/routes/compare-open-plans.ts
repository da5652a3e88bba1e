import type { PlansComparison } from '../../../api/compared-plans.ts';
import { withoutAccount } from '../../../core/model/account-placeholders.ts';
import { compareShapes } from '../../../output/review/compare-shapes.ts';
import { planRowFor } from '../../approvals/routes/decide-plan.ts';
import type { Answered, RouteCall } from '../../http/route.ts';
import type { ComparedAccount, ComparedQuery } from '../records/compared-plans.ts';

const mostRows = 50;

type Row = Answered<PlansComparison>['unusual'][number];

/** The open plans of these accounts, what distinguishes them, and why the other accounts have none. */
export async function compareOpenPlans(
  call: RouteCall,
  query: Omit<ComparedQuery, 'visible'>,
): Promise<Answered<PlansComparison>> {
  const { visible, parts } = call;
  const accounts = await parts.store.plans.compared({ ...query, visible });
  const open = accounts.flatMap((each) =>
    each.plan === null || each.plan.state === 'running' ? [] : [{ ...each, plan: each.plan }],
  );
  const shapes = [];
  const unreadable = [];
  for (const { name, shape } of open) {
    if (shape === null) unreadable.push(name);
    else shapes.push({ account: name, ...shape });
  }
  const { usual = null, unusual: others = [] } = compareShapes(shapes) ?? {};
  const unusual: readonly Row[] =
    unreadable.length === 0 ? others : [{ accounts: unreadable, text: "the plan can't be read" }, ...others];
  const isOpen = new Set(open.map(({ name }) => name));
  const planless = accounts.filter(({ name }) => !isOpen.has(name));
  const withoutPlan = [...Map.groupBy(planless, whyNone)].map(([text, those]): Row => {
    return { accounts: those.map(({ name }) => name), text };
  });
  return {
    plans: open.map(({ plan }) => planRowFor(plan, call)),
    usual,
    unusual: unusual.slice(0, mostRows),
    without_plan: withoutPlan.slice(0, mostRows),
    more: {
      unusual: accountsIn(unusual.slice(mostRows)),
      without_plan: accountsIn(withoutPlan.slice(mostRows)),
    },
  };
}

const accountsIn = (rows: readonly Row[]): number =>
  rows.reduce((sum, { accounts }) => sum + accounts.length, 0);

/** Accounts with the same reason are one row, so their own names are left out of it. */
function whyNone({ name, companyId, mode, failure, plan }: ComparedAccount): string {
  if (plan !== null) return 'a run applies it now';
  if (failure !== null) return withoutAccount(failure.message, { name, companyId });
  return mode === 'observe' ? 'mode observe only reports differences' : 'none waits or is approved';
}
