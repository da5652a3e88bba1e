import type { Limit } from '../../core/model/limits.ts';
import type { RolloutStopKind } from '../../run/state/rollout/rollout-record.ts';
import type { Wave } from './split-waves.ts';

/** How far an account is. `unverified`: its run ended with exit code 8. */
export type AccountProgress = 'pending' | 'running' | 'done' | 'failed' | 'unverified';

export interface WaveProgress {
  readonly waves: readonly Wave[];
  readonly progressOf: (account: string) => AccountProgress;
  /** Accounts without a wave that failed: their plans could not be made. */
  readonly failedBefore: number;
  /** The number of accounts of the rollout with those that failed before. */
  readonly total: number;
}

export interface WaveLimits {
  readonly maxFailed: Limit;
  readonly parallel: number;
  readonly pauseMs: number;
}

/** What stops the rollout from outside. */
export interface Outside {
  /** Milliseconds since the last account of an earlier wave ended; undefined if none ended in this process. */
  readonly sinceLastEndMs: number | undefined;
  /** A reason that is not in the accounts: a signal, a closed window, a lost lock. */
  readonly stop?: Stop | undefined;
}

export interface Stop {
  readonly kind: RolloutStopKind | 'aborted';
  readonly account?: string;
  readonly why: string;
}

/** What to do next. `stop` and `end` may be decided while accounts are still running: they finish first. */
export type Move =
  | { readonly kind: 'start'; readonly account: string; readonly wave: number }
  | { readonly kind: 'wait' }
  | { readonly kind: 'pause'; readonly ms: number; readonly wave: number }
  | { readonly kind: 'stop'; readonly stop: Stop }
  | { readonly kind: 'end' };

/**
 * Decides after each event what happens next. An account starts only if every account of all earlier waves has ended
 * and none is unverified, if no canary has failed, if no more than the allowed number of accounts has failed, and if
 * nothing from outside stops the rollout.
 */
export function nextMove(progress: WaveProgress, limits: WaveLimits, outside: Outside): Move {
  const stop = stopReason(progress, limits, outside);
  if (stop !== undefined) return { kind: 'stop', stop };
  for (const [wave, { accounts }] of progress.waves.entries()) {
    const running = accounts.filter((each) => progress.progressOf(each) === 'running').length;
    const pending = accounts.filter((each) => progress.progressOf(each) === 'pending');
    const [account] = pending;
    if (account === undefined) {
      if (running > 0) return { kind: 'wait' };
      continue;
    }
    if (running >= limits.parallel) return { kind: 'wait' };
    const isNew = pending.length === accounts.length;
    const left = limits.pauseMs - (outside.sinceLastEndMs ?? limits.pauseMs);
    if (isNew && wave > 0 && left > 0) return { kind: 'pause', ms: left, wave };
    return { kind: 'start', account, wave };
  }
  return { kind: 'end' };
}

function stopReason(progress: WaveProgress, { maxFailed }: WaveLimits, outside: Outside): Stop | undefined {
  if (outside.stop !== undefined) return outside.stop;
  let failed = progress.failedBefore;
  let unverified: Stop | undefined;
  let canary: Stop | undefined;
  for (const { accounts, isCanary } of progress.waves) {
    for (const account of accounts) {
      const how = progress.progressOf(account);
      if (how !== 'failed' && how !== 'unverified') continue;
      failed += 1;
      if (how === 'unverified')
        unverified ??= {
          kind: 'unverified',
          account,
          why: `${account} does not have the planned state after its run`,
        };
      if (isCanary)
        canary ??= { kind: 'failed-canary', account, why: `the canary account ${account} failed` };
    }
  }
  const allowed = allowedFailures(maxFailed, progress.total);
  if (unverified !== undefined) return unverified;
  if (canary !== undefined) return canary;
  if (failed <= allowed) return undefined;
  return { kind: 'failed-accounts', why: failedWords(failed, allowed) };
}

function failedWords(failed: number, allowed: number): string {
  const accounts = failed === 1 ? '1 account failed' : `${failed} accounts failed`;
  return `${accounts}, and ${allowed === 0 ? 'none' : allowed} may fail`;
}

/** A share is rounded down, so that 2% of ten accounts allows none. */
function allowedFailures(maxFailed: Limit, total: number): number {
  if (maxFailed.kind === 'count') return maxFailed.count;
  return Math.floor((maxFailed.percent * total) / 100 + 1e-9);
}
