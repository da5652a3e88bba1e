import { type Account, equalAccounts } from '../../../core/model/account.ts';
import { failed, problem, type Result } from '../../../core/problem/problem.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed } from '../../settings/configured-account.ts';
import type { AccountEvent } from '../decisions/account-event.ts';
import type { AccountRules, AccountState } from '../decisions/account-state.ts';
import { type Decision, decide } from '../decisions/decide.ts';
import { pausesAt } from '../decisions/pauses.ts';
import { pausedHealth } from '../decisions/waiting-for.ts';
import type { AccountSchedule } from '../records/accounts.ts';
import { type Details, queueDecided, writeDecision } from './carry-out.ts';
import { inRollouts } from './claim-accounts.ts';
import { type ReadState, readState, withRejections, withTerms } from './read-state.ts';

/** What deciding about an account needs. */
export interface HappenParts extends Pick<JobParts, 'store' | 'clock'> {
  readonly settings: Pick<JobParts['settings'], 'accounts' | 'cadenceMs' | 'notifications'>;
  /** Whose account it must still be. Absent: not compared. */
  readonly tenant?: Account | undefined;
}

/** The event, or how to make it of the state: again if someone else has decided about the account meanwhile. */
type EventSource = AccountEvent | ((read: ReadState) => Promise<AccountEvent>);

/**
 * Something happens to an account: decides about it and writes the decision. The caller adds the jobs.
 * Fails if it may not happen now, and if the account is no longer configured or belongs to another tenant.
 */
export async function happen(
  name: string,
  source: EventSource,
  parts: HappenParts,
  details: Details = {},
): Promise<Result<Decision>> {
  const { store, clock } = parts;
  for (;;) {
    const account = await store.accounts.find(name, 'all');
    if (account === undefined || (parts.tenant !== undefined && !equalAccounts(account, parts.tenant)))
      return failed(notThere);
    const read = await readState(account, store);
    const given = typeof source === 'function' ? await source(read) : source;
    const { state, event } = await compared(read.state, given, store);
    const decided = decide(state, event, await rulesOf(state, event, parts), clock.now());
    if (!decided.ok) return decided;
    const written = await writeDecision(parts, read.state, decided.value, details);
    if (!written.ok) return written;
    if (written.value) return decided;
  }
}

/** How many accounts are decided about at the same time. */
const atOnce = 40;

/** Something happens to several accounts. Adds the jobs, too. */
export async function happenToEach(
  events: ReadonlyMap<string, AccountEvent>,
  parts: HappenParts & Pick<JobParts, 'queue'>,
): Promise<void> {
  const decided = new Map<string, Decision>();
  const turns = events.entries();
  const next = async () => {
    for (const [name, event] of turns) {
      const made = await happen(name, event, parts);
      if (made.ok) decided.set(name, made.value);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  await queueDecided(decided, parts);
}

const notThere = problem('not-found', 'the account is no longer configured, or belongs to another tenant');

/** Approving a plan that a check replaced approves what the open plan has too: their units are compared. */
async function compared(
  state: AccountState,
  event: AccountEvent,
  store: HappenParts['store'],
): Promise<{ readonly state: AccountState; readonly event: AccountEvent }> {
  const { plan } = state;
  if (event.kind === 'hold-lifted') return { state: await withRejections(state, store), event };
  if (event.kind !== 'decided' || plan === null || event.plan.id === plan.id) return { state, event };
  return {
    state: { ...state, plan: await withTerms(plan, store) },
    event: { ...event, plan: await withTerms(event.plan, store) },
  };
}

/** A check reads whether the account is paused or in a rollout by itself. Besides it, only the end of a pause needs to know. */
async function rulesOf(
  { name }: AccountState,
  { kind }: AccountEvent,
  { settings, store }: HappenParts,
): Promise<AccountRules> {
  const { mode = 'observe' } = accountNamed(settings, name) ?? {};
  return {
    mode,
    cadenceMs: settings.cadenceMs,
    isPaused: false,
    isInRollout: kind === 'resumed' && (await inRollouts([name], store)).has(name),
  };
}

interface WakeParts extends Pick<JobParts, 'store' | 'queue' | 'clock'> {
  readonly settings: Pick<JobParts['settings'], 'accounts' | 'labels' | 'cadenceMs' | 'notifications'>;
}

/**
 * Shows the pauses that began or ended since the last decision about an account, and gives a run to each account that
 * waits for a pause or a rollout that has ended: that happens between two checks, and mostly without anybody. If the
 * process ends meanwhile, the next tick does the rest.
 */
export async function wakeAccounts(parts: WakeParts, known?: readonly AccountSchedule[]): Promise<void> {
  const { settings, store } = parts;
  const schedules = known ?? (await store.accounts.schedules());
  const [first] = schedules;
  if (first === undefined) return;
  const pauseOf = pausesAt(await store.pauses.list(), first.readAt.getTime());
  const isPaused = new Map(settings.accounts.map((each) => [each.name, pauseOf(each) !== undefined]));
  const shown = schedules.filter(
    ({ name, health }) => pausedHealth(health, false, isPaused.get(name) === true) !== health,
  );
  const held = (await store.accounts.held()).filter((name) => isPaused.get(name) === false);
  const rolledOut = await inRollouts(held, store);
  const changed = [
    ...shown.map(({ name }) => name).filter((name) => isPaused.has(name)),
    ...held.filter((name) => !rolledOut.has(name)),
  ];
  await happenToEach(
    new Map(changed.map((name) => [name, { kind: isPaused.get(name) === true ? 'paused' : 'resumed' }])),
    parts,
  );
}
