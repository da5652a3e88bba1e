import { decideRollout, endOfRollout, type Stop } from '../../../accounts/rollouts/decide-rollout.ts';
import {
  keepRecord,
  noRollout,
  type RecordKeeper,
} from '../../../accounts/rollouts/rollout-record-keeper.ts';
import { type AccountEnd, endEvent, interruptedCode } from '../../../accounts/rollouts/run-rollout.ts';
import { isTimeProblem } from '../../../core/plan/guards/time-problems.ts';
import { failed, type Result } from '../../../core/problem/result.ts';
import { exitCodes } from '../../../run/apply/exit-code.ts';
import type { Lease } from '../../../run/state/lease/lease.ts';
import { describeProcess } from '../../../run/state/lease/this-process.ts';
import {
  type Rollout,
  type RolloutAccount,
  type RolloutLog,
  rolloutLockKey,
} from '../../../run/state/rollout/rollout.ts';
import type { AccountEvent } from '../../accounts/decisions/account-event.ts';
import { queueDecided, serverSubject } from '../../accounts/rules/carry-out.ts';
import { happen, happenToEach } from '../../accounts/rules/happen.ts';
import { wakeAccounts } from '../../accounts/rules/wake-accounts.ts';
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
    return await step(log.value, record, { lease: lease.value, turnsEnded }, parts);
  } finally {
    await lease.value.release();
  }
}

async function step(
  log: RolloutLog,
  record: RecordKeeper,
  { lease, turnsEnded }: { readonly lease: Lease; readonly turnsEnded: Set<string> },
  parts: JobParts,
): Promise<Advanced> {
  let lastEndAt = lastEnd(log);
  const at = () => new Date(parts.clock.now()).toISOString();
  const end = async (name: string, how: AccountEnd): Promise<Result<unknown>> => {
    lastEndAt = parts.clock.now();
    return record.note([endEvent(name, how, at())]);
  };
  let outside: Stop | undefined;
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
  for (;;) {
    const rollout = record.current();
    const now = parts.clock.now();
    const move = decideRollout(rollout, { isRunning, outside, lastEndAt, now });
    const isLast = ![...rollout.accounts.values()].some(isRunning);
    switch (move.kind) {
      case 'wait':
      case 'pause':
        return 'again';
      case 'over':
        // The last step looks at all of them again, because an earlier one may have failed.
        if (rollout.state === 'aborted') await endTurns(rollout, isLast ? new Set() : turnsEnded, parts);
        return isLast ? 'ended' : 'again';
      case 'stop':
      case 'end': {
        const ended = await finish(rollout, lease, move.kind === 'stop' ? move.stop : null, parts);
        return isLast ? ended : 'again';
      }
      case 'start': {
        const { account } = move;
        const claimed = await record.claim([{ type: 'account-started', at: at(), account: account.name }]);
        if (!claimed.ok) return 'again';
        if (!claimed.value) continue;
        const refused = await start(account, parts);
        if (refused?.kind === 'closed-window')
          outside = { kind: 'closed-window', account: account.name, why: refused.why };
        if (refused !== undefined && !(await end(account.name, refused)).ok) return 'again';
      }
    }
  }
}

/** Its account is pending afterwards. */
const notBegun: AccountEnd = {
  kind: 'ended',
  exitCode: interruptedCode,
  why: 'the rollout was stopped before the run of the account began',
};

/** Queues the run of an account; why not, if its plan may not be applied. */
async function start(account: RolloutAccount, parts: JobParts): Promise<AccountEnd | undefined> {
  const { name } = account;
  const config = accountNamed(parts.settings, name);
  const plan = await planOf(account, parts);
  if (config === undefined || plan === undefined)
    return {
      kind: 'ended',
      exitCode: exitCodes.refused,
      why: 'its plan is no longer the one that was approved; approve its new plan and start another rollout',
    };
  const approved = await readApprovedPlan({ plan: plan.id, account: name }, parts);
  if (!approved.ok)
    return {
      kind: 'ended',
      exitCode: exitCodes.refused,
      why: approved.problems[0]?.message ?? 'it was refused',
    };
  const refusal = refusalNow(approved.value, config, parts, null);
  if (refusal !== undefined)
    return isTimeProblem(refusal)
      ? { kind: 'closed-window', why: refusal.message }
      : { kind: 'ended', exitCode: exitCodes.refused, why: refusal.message };
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
  const page = await parts.store.runs.list({
    visible: 'all',
    account: account.name,
    plan: plan.id,
    limit: 1,
  });
  return page.ok ? page.value.items[0] : undefined;
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
      return { kind: 'ended', exitCode: 0, ...runId };
    case 'failed':
    case 'in_doubt':
    case 'stopped':
    case 'crashed':
      return {
        kind: 'ended',
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
  stop: Stop | null,
  parts: JobParts,
): Promise<Advanced> {
  const at = new Date(parts.clock.now()).toISOString();
  // An end that can't be recorded does not happen: the next step tries it again.
  const ended = await allOrNothing(parts.store, async (inside) => {
    const log = await inside.rollouts.read(id);
    if (!log.ok) return log;
    if (log.value === null) return failed(noRollout(id));
    const noted = await keepRecord(inside.rollouts, log.value, lease).note([endOfRollout(stop, at)]);
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
          `${head.accounts.length} accounts, started by ${head.origin.actor}`,
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

function lastEnd({ events }: RolloutLog): number | undefined {
  const last = events.findLast(({ type }) => type === 'account-ended');
  return last === undefined ? undefined : Date.parse(last.at);
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
