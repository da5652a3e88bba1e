import type { Clock } from '../../core/lib/surroundings.ts';
import { ok, type Problem, type Result } from '../../core/problem/problem.ts';
import type { Lease } from '../../run/state/lease/lease.ts';
import type { Rollout, RolloutAccount, RolloutStop } from '../../run/state/rollout/rollout.ts';
import { type AccountEnd, endEvent } from './account-end.ts';
import { endOfRollout, type Stop } from './decide-rollout.ts';
import type { RecordKeeper } from './rollout-record-keeper.ts';
import { startAccounts } from './start-accounts.ts';

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
  | ReturnType<typeof endEvent>
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

/**
 * Runs the waves of a rollout in this process. Accounts that another process was applying when it died are applied again:
 * their saved plans treat finished steps as done.
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
  const running = new Set<string>();
  let hasEnded = Promise.withResolvers<void>();
  const problems: Problem[] = [];
  let outside: RolloutStop | undefined;
  let announced: string | undefined;
  let wave = -1;
  const at = () => new Date(clock.now()).toISOString();
  const broken = (found: readonly Problem[]) => {
    if (outside === undefined || outside.kind === 'signal') {
      problems.push(...found);
      outside = stopFor(found);
    }
  };

  const work = async (account: RolloutAccount): Promise<void> => {
    const { name } = account;
    const end = await apply(account, halt);
    if (end.stops !== undefined) outside ??= { kind: end.stops, account: name, why: end.why };
    const event = endEvent(name, end, at());
    const noted = await record.note([event]);
    if (!noted.ok) broken(noted.problems);
    onEvent(event);
  };

  const start = async (account: RolloutAccount, index: number): Promise<Result<null>> => {
    const { name } = account;
    if (index !== wave) onEvent({ type: 'wave-started', wave: (wave = index) });
    onEvent({ type: 'account-started', account: name, wave: index });
    running.add(name);
    work(account)
      .finally(() => running.delete(name))
      .then(
        () => hasEnded.resolve(),
        (error: unknown) => hasEnded.reject(error),
      );
    return ok(null);
  };

  for (;;) {
    // An account may end between the decision and the wait for the next end.
    hasEnded = Promise.withResolvers();
    const move = await startAccounts({
      record,
      clock,
      isRunning: ({ name }) => running.has(name),
      outside() {
        if (lease.lost.aborted) outside = lostLock;
        else if (stop.aborted) outside ??= { kind: 'signal', why: 'a signal asked it to stop' };
        return outside;
      },
      start,
    });
    if (!move.ok) {
      broken(move.problems);
      continue;
    }
    const next = move.value;
    switch (next.kind) {
      case 'wait':
        await hasEnded.promise;
        break;
      case 'pause':
        onEvent({ type: 'pause', wave: next.wave, ms: next.ms });
        await pause(next.ms);
        if (clock.now() >= until) outside ??= { kind: 'budget-spent', why: deadlinePassed };
        break;
      case 'end':
      case 'stop':
      case 'over': {
        const reason = next.kind === 'end' ? null : next.stop;
        if (running.size === 0) {
          if (next.kind !== 'over') await noteEnd(next.kind === 'stop' ? next.stop : null);
          return { rollout: record.current(), stop: reason, problems };
        }
        if (next.kind === 'stop') outside ??= next.stop;
        if (reason !== null && announced !== reason.why) onEvent({ type: 'stopping', stop: reason });
        announced = reason?.why;
        await hasEnded.promise;
      }
    }
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

  /** The record belongs to another process after the lock is lost. */
  async function noteEnd(reason: RolloutStop | null): Promise<void> {
    if (reason?.kind === 'lost-lock') return;
    const noted = await record.note([endOfRollout(reason, at())]);
    if (!noted.ok) problems.push(...noted.problems);
  }
}

export const deadlinePassed = 'the deadline of the rollout has passed';
const lostLock: RolloutStop = { kind: 'lost-lock', why: 'this process has lost the lock of the rollout' };

function stopFor(problems: readonly Problem[]): RolloutStop {
  if (problems.some(({ code }) => code === 'lock-lost')) return lostLock;
  return { kind: 'state', why: "the state can't be written" };
}
