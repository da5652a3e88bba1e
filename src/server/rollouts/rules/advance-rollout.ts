import { type AccountEnd, endEvent } from '../../../accounts/rollouts/account-end.ts';
import { endOfRollout } from '../../../accounts/rollouts/decide-rollout.ts';
import {
  changeRollout,
  keepRecord,
  type RecordKeeper,
} from '../../../accounts/rollouts/rollout-record-keeper.ts';
import { startAccounts } from '../../../accounts/rollouts/start-accounts.ts';
import { count } from '../../../core/lib/words.ts';
import { isTimeProblem } from '../../../core/plan/guards/time-problems.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import { exitCodes } from '../../../run/apply/exit-code.ts';
import type { Lease } from '../../../run/state/lease/lease.ts';
import { describeProcess } from '../../../run/state/lease/this-process.ts';
import {
  type Rollout,
  type RolloutAccount,
  type RolloutStop,
  rolloutLockKey,
} from '../../../run/state/rollout/rollout.ts';
import type { AccountEvent } from '../../accounts/decisions/account-event.ts';
import { queueDecided, serverSubject } from '../../accounts/rules/carry-out.ts';
import { happen, happenToEach, wakeAccounts } from '../../accounts/rules/happen.ts';
import { firstOf } from '../../database/page.ts';
import type { Notice } from '../../notifications/rules/notice.ts';
import { enqueueNotices } from '../../notifications/rules/route-notices.ts';
import type { PlanRecord } from '../../plans/records/plans.ts';
import { readApprovedPlan, refusalNow } from '../../plans/rules/approved-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { ServerRun } from '../../runs/records/runs.ts';
import { accountNamed } from '../../settings/configured-account.ts';
import { allOrNothing } from '../../store/all-or-nothing.ts';

/** `again`: look at it once more after a while. `ended`: there is nothing left to do. */
export type Advanced = 'again' | 'ended';

/**
 * Does everything that a rollout can do now: notes the runs that have ended, and starts the accounts whose turn it is.
 * All it knows is in the state, so any worker can do the next step, also after this one was killed in the middle.
 * `turnsEnded` saves work: the accounts whose turns earlier steps have ended.
 *
 * @public
 */
export async function advanceRollout(
  id: string,
  parts: JobParts,
  turnsEnded: Set<string> = new Set(),
): Promise<Advanced> {
  const { state, clock } = parts;
  const since = new Date(clock.now()).toISOString();
  const lease = await state.acquire(rolloutLockKey(id), {
    clock,
    timeoutMs: 0,
    holder: describeProcess(since, { actor: serverSubject.name }),
  });
  if (!lease.ok) return 'again';
  try {
    const log = await state.rollouts.read(id);
    if (!log.ok) return 'again';
    if (log.value === null) return 'ended';
    const record = keepRecord(state.rollouts, log.value, lease.value);
    return await step(record, { lease: lease.value, turnsEnded }, parts);
  } finally {
    await lease.value.release();
  }
}

async function step(
  record: RecordKeeper,
  { lease, turnsEnded }: { readonly lease: Lease; readonly turnsEnded: Set<string> },
  parts: JobParts,
): Promise<Advanced> {
  let outside: RolloutStop | undefined;
  const end = (name: string, how: AccountEnd): Promise<Result<unknown>> => {
    if (how.stops !== undefined) outside ??= { kind: how.stops, account: name, why: how.why };
    return record.note([endEvent(name, how, new Date(parts.clock.now()).toISOString())]);
  };
  for (const account of record.current().accounts.values()) {
    if (account.status !== 'running') continue;
    const run = await runOf(account, parts);
    // A worker died between the record and the run: the run is queued now, unless someone has stopped the rollout since.
    if (run === undefined) {
      const refused = record.current().state === 'running' ? await start(account, parts) : notBegun;
      if (refused !== undefined && !(await end(account.name, refused)).ok) return 'again';
      continue;
    }
    // An account whose plan was replaced meanwhile counts as failed, like one that was refused.
    if (run.state === 'stopped' && run.exitCode !== exitCodes.stale)
      outside ??= { kind: 'signal', account: account.name, why: `the run of ${account.name} was stopped` };
    const how = endOf(run);
    if (how !== undefined && !(await end(account.name, how)).ok) return 'again';
  }
  const isRunning = ({ status }: RolloutAccount) => status === 'running';
  const move = await startAccounts({
    record,
    clock: parts.clock,
    isRunning,
    outside: () => outside,
    async start(account) {
      const refused = await start(account, parts);
      return refused === undefined ? ok(null) : end(account.name, refused);
    },
  });
  if (!move.ok) return 'again';
  const next = move.value;
  const rollout = record.current();
  const isLast = ![...rollout.accounts.values()].some(isRunning);
  switch (next.kind) {
    case 'wait':
    case 'pause':
      return 'again';
    case 'over':
      // The last step looks at all of them again, because an earlier one may have failed.
      if (rollout.state === 'aborted') await endTurns(rollout, isLast ? new Set() : turnsEnded, parts);
      return isLast ? 'ended' : 'again';
    case 'stop':
    case 'end': {
      const ended = await finish(rollout, lease, next.kind === 'stop' ? next.stop : null, parts);
      return isLast ? ended : 'again';
    }
  }
}

/** Its account is pending afterwards. */
const notBegun: AccountEnd = {
  exitCode: exitCodes.interrupted,
  why: 'the rollout was stopped before the run of the account began',
};

/** Queues the run of an account; why not, if its plan may not be applied. */
async function start(account: RolloutAccount, parts: JobParts): Promise<AccountEnd | undefined> {
  const { name } = account;
  const config = accountNamed(parts.settings, name);
  const plan = await planOf(account, parts);
  if (config === undefined || plan === undefined)
    return {
      exitCode: exitCodes.refused,
      why: 'its plan is no longer the one that was approved; approve its new plan and start another rollout',
    };
  const approved = await readApprovedPlan({ plan: plan.id, account: name }, parts);
  if (!approved.ok)
    return { exitCode: exitCodes.refused, why: approved.problems[0]?.message ?? 'it was refused' };
  const refusal = refusalNow(approved.value, config, parts, null);
  if (refusal !== undefined) {
    const refused = { exitCode: exitCodes.refused, why: refusal.message };
    return isTimeProblem(refusal) ? { ...refused, stops: 'closed-window' } : refused;
  }
  const reason = 'its turn in the rollout has come';
  const begun = await happen(name, { kind: 'turn-came', plan: plan.id, by: serverSubject, reason }, parts);
  if (begun.ok) await queueDecided(new Map([[name, begun.value]]), parts);
  return undefined;
}

/**
 * Accounts that are being changed end first; that can take long, and the others do not wait for it. Accounts that another
 * rollout has taken over meanwhile keep their plans.
 */
async function endTurns({ id, accounts }: Rollout, turnsEnded: Set<string>, parts: JobParts): Promise<void> {
  const events = new Map<string, AccountEvent>();
  const left = [...accounts.values()].filter(
    ({ name, status }) => status !== 'running' && !turnsEnded.has(name),
  );
  if (left.length === 0) return;
  const holders = await parts.store.rolloutAccounts.holders(left.map(({ name }) => name));
  for (const account of left) {
    if (holders.get(account.name) !== id) continue;
    const plan = await planOf(account, parts);
    if (plan !== undefined) events.set(account.name, { kind: 'turn-lost', plan: plan.id });
  }
  await happenToEach(events, parts);
  for (const { name } of left) turnsEnded.add(name);
}

/** The plan with the checksum that the rollout recorded. */
async function planOf(
  { name, planChecksum }: RolloutAccount,
  { store }: JobParts,
): Promise<PlanRecord | undefined> {
  const page = await store.plans.list({ visible: 'all', account: name, limit: 50 });
  return page.ok ? page.value.items.find(({ checksum }) => checksum === planChecksum) : undefined;
}

async function runOf(account: RolloutAccount, parts: JobParts): Promise<ServerRun | undefined> {
  const plan = await planOf(account, parts);
  if (plan === undefined) return undefined;
  const query = { visible: 'all', account: account.name, plan: plan.id, limit: 1 } as const;
  return firstOf(await parts.store.runs.list(query));
}

/** Undefined while the run is in progress. `done` means that a read after the last write showed the planned state. */
function endOf({ state, exitCode, journal, reason }: ServerRun): AccountEnd | undefined {
  const runId = journal === null ? {} : { runId: journal };
  switch (state) {
    case 'queued':
    case 'running':
    case 'stopping':
      return undefined;
    case 'done':
      return { exitCode: exitCodes.success, ...runId };
    case 'failed':
    case 'in_doubt':
    case 'stopped':
      return {
        exitCode:
          exitCode === null || exitCode === exitCodes.success || exitCode === exitCodes.interrupted
            ? exitCodes.incomplete
            : exitCode,
        why: reason ?? `its run ended in the state ${state}`,
        ...runId,
      };
  }
}

async function finish(
  { id, head }: Rollout,
  lease: Lease,
  stop: RolloutStop | null,
  parts: JobParts,
): Promise<Advanced> {
  const at = new Date(parts.clock.now()).toISOString();
  // An end that can't be recorded does not happen: the next step tries it again.
  const ended = await allOrNothing(parts.store, async (inside) => {
    const noted = await changeRollout(inside.rollouts, id, () => ok(endOfRollout(stop, at)), lease);
    if (!noted.ok) return noted;
    inside.audit([
      {
        kind: 'rollout-ended',
        origin: head.origin,
        what: { rollout: id, state: noted.value.state, why: stop?.why ?? null },
      },
    ]);
    await inside.events.append({ type: 'rollout.changed', account: null, resource: id });
    const notice: Notice = {
      kind: 'rollout',
      account: null,
      topic: `rollout ${id}`,
      facts: {
        title: stop === null ? 'A rollout is complete' : `A rollout stopped: ${stop.why}`,
        lines: [
          `${count(head.accounts.length, 'account')}, started by ${head.origin.actor}`,
          ...(stop === null
            ? []
            : ['Continue or abort it: until then, the accounts left keep approved plans']),
        ],
        path: `/rollouts/${encodeURIComponent(id)}`,
      },
    };
    await enqueueNotices([notice], parts, inside);
    return noted;
  });
  return ended.ok ? 'ended' : 'again';
}

/** How often a rollout is looked at while its accounts are being changed, in milliseconds. */
const lookMs = 1_000;

/** Works on a rollout until it ends, and then wakes the accounts that waited for that. Rejects if another worker must go on, because this one stops. */
export async function rolloutJob(id: string, parts: JobParts, signal: AbortSignal): Promise<void> {
  const turnsEnded = new Set<string>();
  while (!signal.aborted) {
    if ((await advanceRollout(id, parts, turnsEnded)) === 'ended') return wakeAccounts(parts);
    await parts.clock.sleep(lookMs, signal);
  }
  throw new Error('another worker continues the rollout');
}
