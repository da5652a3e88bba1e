import { readStoredPlan } from '../../../accounts/plans/read-stored-plan.ts';
import { isOpenRun } from '../../../api/states.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { termsOf } from '../../plans/decisions/kept-units.ts';
import type { PlanRecord } from '../../plans/records/plan-record.ts';
import type { ServerRun } from '../../runs/records/runs.ts';
import type { Store } from '../../store/open-store.ts';
import { type AccountState, type OpenRun, toRejection } from '../decisions/account-state.ts';
import type { AccountRecord } from '../records/account-record.ts';

type StateStore = Pick<Store, 'plans' | 'runs'>;

/** The state of an account for `decide`, with the records that it was read from. */
export interface ReadState {
  readonly state: AccountState;
  readonly plan: PlanRecord | null;
  readonly run: ServerRun | null;
}

/** Completes the record of an account. An account that is as desired needs no query. */
export async function readState(account: AccountRecord, store: StateStore): Promise<ReadState> {
  const plan = account.plan === null ? null : ((await store.plans.find(account.plan.id, 'all')) ?? null);
  const run = account.run === null ? null : ((await store.runs.find(account.run, 'all')) ?? null);
  const { name, version, health, hasIgnored, commit, failure, hold, checkBeganAt } = account;
  const state: AccountState = {
    name,
    version,
    health,
    hasIgnored,
    commit,
    failure,
    hold,
    plan,
    rejections: [],
    run: run && openRun(run),
    checkBeganAt: checkBeganAt?.getTime() ?? null,
  };
  return { state, plan, run };
}

/** Null: the run has ended meanwhile. */
function openRun({ id, plan, state }: ServerRun): OpenRun | null {
  return isOpenRun(state) ? { id, plan, state } : null;
}

/** The state with what people rejected in the account, as far as its time has not passed. */
export async function withRejections(state: AccountState, { plans }: StateStore): Promise<AccountState> {
  return { ...state, rejections: (await plans.rejected(state.name)).map(toRejection) };
}

/** The content of a stored plan; undefined if this version can't read it. */
export async function readContent(id: string, { plans }: Pick<Store, 'plans'>): Promise<Plan | undefined> {
  const text = await plans.document(id, 'all');
  const plan = text === undefined ? undefined : readStoredPlan(text, id);
  return plan?.ok === true ? plan.value : undefined;
}

/** A plan of the store with its units, where a decision compares them. */
export async function withTerms<P extends { readonly id: string }>(
  plan: P,
  store: Pick<Store, 'plans'>,
): Promise<P> {
  const content = await readContent(plan.id, store);
  return content === undefined ? plan : { ...plan, terms: termsOf(content) };
}
