import type { Clock } from '../../core/lib/clock.ts';
import { defined } from '../../core/lib/defined.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { Lease } from '../../run/state/lease/lease.ts';
import type { Rollout, RolloutAccount } from '../../run/state/rollout/rollout.ts';
import { decideRollout, endOfRollout, type Stop } from './decide-rollout.ts';
import type { RecordKeeper } from './rollout-record-keeper.ts';

/**
 * How the run of one account ended. `closed-window`: nothing was sent, and a continuation tries again. `budget-spent`: the
 * calls or the time of the rollout are used up, and a continuation continues.
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
  let announced: string | undefined;
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
    const move = decideRollout(record.current(), {
      isRunning: ({ name }) => running.has(name),
      outside,
      lastEndAt,
      now: clock.now(),
    });
    switch (move.kind) {
      case 'wait':
        await Promise.race(running.values());
        break;
      case 'pause':
        onEvent({ type: 'pause', wave: move.wave, ms: move.ms });
        await pause(move.ms);
        if (clock.now() >= until) outside ??= { kind: 'budget-spent', why: deadlinePassed };
        break;
      case 'start': {
        const { account, wave: index } = move;
        const { name } = account;
        if (index !== wave) onEvent({ type: 'wave-started', wave: (wave = index) });
        const claimed = await record.claim([{ type: 'account-started', at: at(), account: name }]);
        if (!claimed.ok) broken(claimed.problems);
        if (!claimed.ok || !claimed.value) break;
        onEvent({ type: 'account-started', account: name, wave: index });
        const job = work(account, index).finally(() => running.delete(name));
        running.set(name, job);
        break;
      }
      case 'end':
      case 'stop':
      case 'over': {
        const reason = move.kind === 'end' ? null : move.stop;
        if (running.size === 0) return finish(reason, move.kind === 'over');
        if (reason !== null) onceStopping(reason);
        await Promise.race(running.values());
      }
    }
  }

  function onceStopping(reason: Stop): void {
    outside ??= reason;
    if (announced === reason.why) return;
    announced = reason.why;
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

  async function finish(reason: Stop | null, isRecorded: boolean): Promise<RolloutResult> {
    // The record belongs to another process after the lock is lost.
    if (!isRecorded && reason?.kind !== 'lost-lock') {
      const noted = await record.note([endOfRollout(reason, at())]);
      if (!noted.ok) problems.push(...noted.problems);
    }
    return { rollout: record.current(), stop: reason, problems };
  }
}

export const deadlinePassed = 'the deadline of the rollout has passed';
const lostLock: Stop = { kind: 'lost-lock', why: 'this process has lost the lock of the rollout' };

function stopFor(problems: readonly Problem[]): Stop {
  if (problems.some(({ code }) => code === 'lock-lost')) return lostLock;
  return { kind: 'state', why: "the state can't be written" };
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
    ...defined({ run_id: runId, why }),
  } as const;
}
