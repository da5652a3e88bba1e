import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { ownTurn } from '../../../accounts/engine/own-turn.ts';
import { equalAccounts } from '../../../core/model/account.ts';
import type { NewPlan } from '../../plans/records/plan-record.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { AccountEvent } from '../decisions/account-event.ts';
import type { AccountRules, AccountState, StoreCommand } from '../decisions/account-state.ts';
import { type Decision, decide } from '../decisions/decide.ts';
import { pauseOf } from '../decisions/pauses.ts';
import type { FoundAccount } from '../records/account-record.ts';
import type { CheckRecord, CheckWritten } from '../records/check-record.ts';
import { queueDecided, writeDecision } from './carry-out.ts';
import { inRollouts } from './claim-accounts.ts';
import { readState, withRejections, withTerms } from './read-state.ts';

type Recorded = Extract<StoreCommand, { readonly kind: 'record-check' }>;

/** The result of a check, before it is decided. */
export interface CheckResult {
  event(state: AccountState): Promise<{
    readonly event: AccountEvent;
    readonly plan?: () => Promise<Omit<NewPlan, 'state' | 'reason'>>;
  }>;
  /** The plan has changes, so that what people decided about it counts. */
  readonly changes: boolean;
  /** It found differences that may cause notices. */
  readonly hasDrift: boolean;
  record(decided: Recorded): CheckRecord;
}

const nothing: CheckWritten = { hosts: 0, drift: 0, causes: 0, changed: false };

/**
 * Decides about the result of a check and writes it. Someone may decide about the account meanwhile: then it is read again.
 * Most checks change nothing and are decided on what their beginning read.
 */
export async function decideCheck(
  account: AccountConfig,
  parts: JobParts,
  known: FoundAccount,
  result: CheckResult,
): Promise<CheckWritten> {
  const { store, clock } = parts;
  let latest: FoundAccount | undefined = known;
  for (let isFirst = true; ; isFirst = false) {
    const isFresh = !isFirst || result.changes || known.hold !== null;
    if (isFresh) latest = await store.accounts.find(account.name, 'all');
    if (latest === undefined || !equalAccounts(latest, known)) return nothing;
    const state = await stateOf(latest, result.changes, parts);
    const { event, plan } = await result.event(state);
    const rules = await rulesOf(account, latest, isFresh, state, parts);
    await ownTurn();
    const decided = decide(state, event, rules, clock.now());
    if (!decided.ok) return nothing;
    const written = await write(state, decided.value, parts, result, plan);
    if (written === undefined) continue;
    await queueDecided(new Map([[account.name, decided.value]]), parts);
    return written;
  }
}

/** What people decided is compared only with a plan that has changes. */
async function stateOf(account: FoundAccount, changes: boolean, { store }: JobParts): Promise<AccountState> {
  const { state } = await readState(account, store);
  if (!changes && state.health === 'converged') return state;
  const rejected = await withRejections(state, store);
  if (!changes) return rejected;
  const { plan, rejections } = rejected;
  return {
    ...rejected,
    plan: plan === null || plan.approvals.length === 0 ? plan : await withTerms(plan, store),
    rejections: await Promise.all(rejections.map((each) => withTerms(each, store))),
  };
}

async function rulesOf(
  account: AccountConfig,
  { hasPauses }: FoundAccount,
  changes: boolean,
  { plan }: AccountState,
  { store, clock, settings }: JobParts,
): Promise<AccountRules> {
  // Without changes, a pause only shows. If it began during this check, the next tick shows it.
  const pauses = changes || hasPauses ? await store.pauses.list() : [];
  return {
    mode: account.mode,
    cadenceMs: settings.cadenceMs,
    isPaused: pauseOf(pauses, account, clock.now()) !== undefined,
    isInRollout: (changes || plan !== null) && (await inRollouts([account.name], store)).has(account.name),
  };
}

/** Undefined if someone has decided about the account since it was read. */
async function write(
  state: AccountState,
  decision: Decision,
  parts: JobParts,
  result: CheckResult,
  plan: (() => Promise<Omit<NewPlan, 'state' | 'reason'>>) | undefined,
): Promise<CheckWritten | undefined> {
  const { commands, next } = decision;
  const [only, ...others] = commands;
  const mayBeNews =
    parts.settings.notifications.length > 0 && (result.hasDrift || next.health !== state.health);
  // Most checks only confirm what is known. Many of them are written with one statement.
  if (only?.kind === 'record-check' && others.length === 0 && !mayBeNews) {
    const written = await parts.store.accounts.recordCheck({
      ...result.record(only),
      version: state.version,
    });
    return written.isOutdated === true ? undefined : written;
  }
  let written = nothing;
  const isWritten = await writeDecision(parts, state, decision, {
    ...(plan === undefined ? {} : { plan }),
    async check(own, command) {
      written = await own.accounts.recordCheck(result.record(command));
    },
  });
  return isWritten.ok && !isWritten.value ? undefined : written;
}
