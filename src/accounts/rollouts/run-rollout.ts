import type { Clock } from '../../core/lib/clock.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { Lease } from '../../run/state/lease/lease.ts';
import type { Rollout, RolloutAccount } from '../../run/state/rollout/rollout.ts';
import type { RolloutEvent } from '../../run/state/rollout/rollout-record.ts';
import { type AccountProgress, type Move, nextMove, type Stop } from './decide.ts';
import type { RecordKeeper } from './rollout-record-keeper.ts';

/**
 * How the run of one account ended. `closed-window`: nothing was sent, and a resumption tries again. `budget-spent`: the
 * calls or the time of the rollout are used up, and a resumption continues.
 */
export type AccountEnd =
  | { readonly kind: 'ended'; readonly exitCode: number; readonly runId?: string; readonly why?: string }
  | { readonly kind: 'closed-window'; readonly why: string }
  | { readonly kind: 'budget-spent'; readonly why: string; readonly runId?: string };

export function exitCodeOfEnd(end: AccountEnd): number {
  return end.kind === 'ended' ? end.exitCode : end.kind === 'closed-window' ? 6 : 5;
}

export interface RolloutRun {
  readonly record: RecordKeeper;
  readonly lease: Pick<Lease, 'lost'>;
  readonly clock: Clock;
  /** A signal from the user. */
  readonly stop: AbortSignal;
  /** No account starts at or after this time, in milliseconds since the epoch. */
  readonly until?: number;
  /** Applies the saved plan of an account. `halt` asks it to stop at a safe point. */
  readonly apply: (account: RolloutAccount, halt: AbortSignal) => Promise<AccountEnd>;
  readonly onEvent: (event: RolloutProgress) => void;
}

export type RolloutProgress =
  | { readonly type: 'wave-started'; readonly wave: number }
  | { readonly type: 'pause'; readonly wave: number; readonly ms: number }
  | { readonly type: 'account-started'; readonly account: string; readonly wave: number }
  | {
      readonly type: 'account-ended';
      readonly account: string;
      readonly wave: number;
      readonly end: AccountEnd;
      readonly ms: number;
    }
  | { readonly type: 'stopping'; readonly stop: Stop };

/** The result of a rollout. The problems are those of the state, if it could not be written. */
export interface RolloutResult {
  readonly rollout: Rollout;
  /** Null if all accounts have ended. */
  readonly stop: Stop | null;
  readonly problems: readonly Problem[];
}

/** How often another process's abort is looked for in a pause, in milliseconds. */
const lookMs = 2_000;
const unverified = 8;
export const interruptedCode = 130;

/**
 * Runs the waves of a rollout. Each start is claimed in the state first, so an account never starts after another
 * process has appended an abort or taken the rollout over. Accounts that another process was applying when it died are
 * applied again: their saved plans treat finished steps as done.
 */
export async function runRollout({
  record,
  lease,
  clock,
  stop,
  until = Number.POSITIVE_INFINITY,
  apply,
  onEvent,
}: RolloutRun): Promise<RolloutResult> {
  const halt = AbortSignal.any([stop, lease.lost]);
  const running = new Map<string, Promise<void>>();
  const problems: Problem[] = [];
  let outside: Stop | undefined;
  let lastEndAt: number | undefined;
  let wave = -1;
  const at = () => new Date(clock.now()).toISOString();
  const broken = (found: readonly Problem[]) => {
    if (outside === undefined || outside.kind === 'signal') {
      problems.push(...found);
      outside = stopFor(found);
    }
  };

  const work = async (account: RolloutAccount, index: number): Promise<void> => {
    const start = clock.now();
    const end = await apply(account, halt);
    lastEndAt = clock.now();
    const { name } = account;
    if (end.kind !== 'ended') outside ??= { kind: end.kind, account: name, why: end.why };
    const noted = await record.note([endEvent(name, end, at())]);
    if (!noted.ok) broken(noted.problems);
    onEvent({ type: 'account-ended', account: name, wave: index, end, ms: clock.now() - start });
  };

  for (;;) {
    if (lease.lost.aborted) outside = lostLock;
    else if (stop.aborted) outside ??= { kind: 'signal', why: 'a signal asked it to stop' };
    if (record.current().state === 'aborted') outside = aborted;
    const move = decide(record.current(), new Set(running.keys()), { outside, lastEndAt, now: clock.now() });
    if (move.kind === 'stop' || move.kind === 'end' || move.kind === 'wait') {
      if (move.kind === 'stop' && running.size > 0) onceStopping(move.stop);
      if (running.size > 0) {
        await Promise.race(running.values());
        continue;
      }
      return finish(move.kind === 'stop' ? move.stop : null);
    }
    if (move.wave !== wave && move.kind === 'start')
      onEvent({ type: 'wave-started', wave: (wave = move.wave) });
    if (move.kind === 'pause') {
      onEvent({ type: 'pause', wave: move.wave, ms: move.ms });
      await pause(move.ms);
      if (clock.now() >= until) outside ??= { kind: 'budget-spent', why: deadlinePassed };
      continue;
    }
    const account = record.current().accounts.get(move.account);
    const claimed = await record.claim([{ type: 'account-started', at: at(), account: move.account }]);
    if (!claimed.ok) broken(claimed.problems);
    if (!claimed.ok || !claimed.value || account === undefined) continue;
    onEvent({ type: 'account-started', account: move.account, wave: move.wave });
    const job = work(account, move.wave).finally(() => running.delete(move.account));
    running.set(move.account, job);
  }

  function onceStopping(reason: Stop): void {
    if (outside === reason) return;
    outside = reason;
    onEvent({ type: 'stopping', stop: reason });
  }

  /** Looks for an abort now and then. A pause ends at the deadline, because no account could start after it. */
  async function pause(ms: number): Promise<void> {
    const end = Math.min(clock.now() + ms, until);
    while (clock.now() < end && !halt.aborted && record.current().state === 'running') {
      await clock.sleep(Math.min(lookMs, end - clock.now()), halt);
      const read = await record.refresh();
      if (!read.ok) return broken(read.problems);
    }
  }

  async function finish(reason: Stop | null): Promise<RolloutResult> {
    const result = () => ({ rollout: record.current(), stop: reason, problems });
    // The record has the abort already, and belongs to another process after the lock is lost.
    if (reason?.kind === 'aborted' || reason?.kind === 'lost-lock') return result();
    const noted = await record.note([
      reason === null ? { type: 'completed', at: at() } : stopEvent(reason, at()),
    ]);
    if (!noted.ok) problems.push(...noted.problems);
    return result();
  }
}

export const deadlinePassed = 'the deadline of the rollout has passed';
const aborted: Stop = { kind: 'aborted', why: 'it was aborted' };
const lostLock: Stop = { kind: 'lost-lock', why: 'this process has lost the lock of the rollout' };

function stopFor(problems: readonly Problem[]): Stop {
  if (problems.some(({ code }) => code === 'lock-lost')) return lostLock;
  return { kind: 'state', why: "the state can't be written" };
}

function stopEvent({ kind, account, why }: Stop, at: string): RolloutEvent {
  if (kind === 'aborted') throw new Error('an abort is an event of its own');
  return { type: 'stopped', at, reason: kind, why, ...(account === undefined ? {} : { account }) };
}

export function endEvent(account: string, end: AccountEnd, at: string) {
  const exitCode = exitCodeOfEnd(end);
  const { runId, why } = { runId: undefined, ...end };
  const status =
    end.kind !== 'ended'
      ? 'pending'
      : exitCode === 0
        ? 'done'
        : exitCode === interruptedCode
          ? 'pending'
          : 'failed';
  return {
    type: 'account-ended',
    at,
    account,
    status,
    exit_code: exitCode,
    ...(runId === undefined ? {} : { run_id: runId }),
    ...(why === undefined ? {} : { why }),
  } as const;
}

interface Now {
  readonly outside: Stop | undefined;
  readonly lastEndAt: number | undefined;
  readonly now: number;
}

function decide(rollout: Rollout, running: ReadonlySet<string>, { outside, lastEndAt, now }: Now): Move {
  const { head, accounts, maxFailed } = rollout;
  return nextMove(
    {
      waves: head.waves.map(({ name, is_canary: isCanary, accounts: names }) => ({
        name,
        isCanary,
        accounts: names,
      })),
      progressOf: (name) => (running.has(name) ? 'running' : progressOf(accounts.get(name))),
      failedBefore: head.left_out.filter(({ status }) => status === 'failed').length,
      total: head.accounts.length + head.left_out.filter(({ status }) => status === 'failed').length,
    },
    { maxFailed, parallel: head.parallel, pauseMs: head.pause_ms },
    { stop: outside, sinceLastEndMs: lastEndAt === undefined ? undefined : now - lastEndAt },
  );
}

/** An account that another process was applying counts as pending. */
function progressOf(account: RolloutAccount | undefined): AccountProgress {
  if (account?.status === 'done') return 'done';
  if (account?.status !== 'failed') return 'pending';
  return account.exitCode === unverified ? 'unverified' : 'failed';
}
