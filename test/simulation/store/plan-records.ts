import { type PlanState } from '../../../src/api/states.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import { isUndo } from '../../../src/server/plans/decisions/stored-plan.ts';
import type { NewPlan, PlanRecord } from '../../../src/server/plans/records/plan-record.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { rowsOf } from './table.ts';
import type { Tables } from './tables.ts';

type Simulated =
  | 'propose'
  | 'list'
  | 'find'
  | 'document'
  | 'approve'
  | 'rejected'
  | 'overdue'
  | 'move'
  | 'keep'
  | 'reopen'
  | 'shorten'
  | 'endRejections';

const isOpen = ({ state }: Pick<PlanRecord, 'state'>) =>
  state === 'waiting' || state === 'approved' || state === 'running';

const mostRejections = 50;
const mostAuthors = 200;
const keptReason = 'a later check found other changes, which wait for the next plan';

export function plansIn(
  tables: Tables,
  now: () => number,
  newId: () => string,
): Pick<Store['plans'], Simulated> {
  const { plans, plansOf, openPlans } = tables;
  const ofAccount = (account: string) =>
    (plansOf.get(account) ?? []).flatMap((id) => plans.get(id)?.plan ?? []);
  const put = (plan: PlanRecord) => {
    const row = plans.get(plan.id);
    if (row === undefined) return undefined;
    const open = openPlans.get(plan.account);
    if (isOpen(plan) && open !== undefined && open !== plan.id) throw new Error('duplicate key: plan_open');
    plans.set(plan.id, { ...row, plan });
    if (isOpen(plan)) openPlans.set(plan.account, plan.id);
    else if (openPlans.get(plan.account) === plan.id) openPlans.delete(plan.account);
    return plan;
  };
  const change = (id: string, parts: Partial<PlanRecord>) => {
    const plan = plans.get(id)?.plan;
    return plan && put({ ...plan, ...parts });
  };
  return {
    async propose({ document, shape, digests, ...given }) {
      const id = given.id ?? newId();
      const isRunning = plans.get(openPlans.get(given.account) ?? '')?.plan.state === 'running';
      if (plans.get(id) !== undefined || isRunning) throw new Error('duplicate key: plan');
      const before = plans.get(openPlans.get(given.account) ?? '')?.plan ?? ofAccount(given.account).at(-1);
      if (before !== undefined && (before.state === 'waiting' || before.state === 'approved'))
        change(before.id, { state: 'stale', reason: 'a newer plan replaced it', replacedBy: id });
      const plan: PlanRecord = {
        ...given,
        id,
        changeDigest: digests?.changes ?? null,
        contentDigest: digests?.content ?? null,
        signature: given.signature ?? null,
        reason: given.reason ?? null,
        replacedBy: null,
        later: null,
        pullRequest: null,
        createdAt: new Date(now()),
        approvals: [],
        required: { ...given.required, ...earlierAuthors(before, given) },
      };
      plans.set(id, { plan, document, shape });
      plansOf.set(given.account, [...(plansOf.get(given.account) ?? []), id]);
      put(plan);
      return { plan };
    },
    async list({ visible, account, states, limit = 100 }) {
      const all = account === undefined ? rowsOf(plans).map(({ plan }) => plan) : ofAccount(account);
      const items = all
        .filter(
          (plan) =>
            (visible === 'all' || visible.includes(plan.account)) &&
            (states === undefined || states.includes(plan.state)),
        )
        .toReversed();
      return ok({ items: items.slice(0, limit) });
    },
    async find(id, visible) {
      const plan = plans.get(id)?.plan;
      return plan !== undefined && (visible === 'all' || visible.includes(plan.account)) ? plan : undefined;
    },
    async document(id, visible) {
      const row = plans.get(id);
      return row !== undefined && (visible === 'all' || visible.includes(row.plan.account))
        ? row.document
        : undefined;
    },
    async approve(id, { ticket = null, ...approval }) {
      const { by } = approval;
      const others = (plans.get(id)?.plan.approvals ?? []).filter(
        (each) => each.by.kind !== by.kind || each.by.id !== by.id,
      );
      return change(id, { approvals: [...others, { ...approval, ticket, at: new Date(now()) }] });
    },
    rejected: async (account) =>
      ofAccount(account)
        .filter((plan) => plan.state === 'rejected' && plan.expiresAt.getTime() > now() && !isUndo(plan))
        .toReversed()
        .slice(0, mostRejections),
    overdue: async () =>
      rowsOf(openPlans)
        .flatMap((id) => plans.get(id)?.plan ?? [])
        .filter(({ state, expiresAt }) => state !== 'running' && expiresAt.getTime() <= now())
        .map(({ account }) => account),
    async move(id, from: readonly PlanState[], to, reason) {
      const plan = plans.get(id)?.plan;
      if (plan === undefined || !from.includes(plan.state)) return undefined;
      return change(id, { state: to, reason: reason ?? plan.reason });
    },
    async keep(id, later) {
      const plan = plans.get(id)?.plan;
      const isKept = later.leftOut.length + later.authors.length > 0;
      const reason = isKept ? keptReason : plan?.later ? null : (plan?.reason ?? null);
      change(id, { later, reason });
    },
    async reopen(id, later) {
      change(id, { state: 'waiting', later, reason: keptReason, replacedBy: null });
    },
    async shorten(id, expiresAt) {
      change(id, { expiresAt });
    },
    async endRejections(accounts) {
      for (const plan of accounts.flatMap(ofAccount))
        if (plan.state === 'rejected' && plan.expiresAt.getTime() > now())
          change(plan.id, { expiresAt: new Date(now()) });
    },
  };
}

/** The authors of the open plans that a plan replaces, and what an approved plan left to it. */
function earlierAuthors(
  before: PlanRecord | undefined,
  plan: Pick<NewPlan, 'source'>,
): Pick<NewPlan['required'], 'earlierAuthors'> {
  if (before === undefined || isUndo(before) || isUndo(plan)) return {};
  const { earlierAuthors: earlier = [] } = before.required;
  const own = before.author === null ? earlier : [...earlier, before.author];
  const isReplaced = before.state === 'waiting' || before.state === 'approved';
  const authors = new Set([...(isReplaced ? own : []), ...(before.later?.authors ?? [])]);
  return authors.size === 0 ? {} : { earlierAuthors: [...authors].slice(-mostAuthors) };
}
