import { count } from '../../core/lib/words.ts';
import { type Limit, shareOf } from '../../core/model/policy.ts';
import type { Rollout, RolloutAccount, RolloutStop } from '../../run/state/rollout/rollout.ts';
import type { RolloutEvent } from '../../run/state/rollout/rollout-record.ts';

/** Why a rollout starts no more accounts. */
export type Stop = RolloutStop | { readonly kind: 'aborted'; readonly account?: never; readonly why: string };

/** What the record of a rollout can't know. */
export interface RolloutNow {
  /** Whether the run of an account is in progress. Others that the record has as running are started again. */
  readonly isRunning: (account: RolloutAccount) => boolean;
  /** A reason that is not in the accounts: a signal, a closed window, a lost lock. */
  readonly outside: RolloutStop | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * What to do next. `stop` and `end` may be decided while accounts are still running: they finish first. `over`: another
 * process has stopped, aborted or ended the rollout, and has recorded it.
 */
export type RolloutMove =
  | { readonly kind: 'start'; readonly account: RolloutAccount; readonly wave: number }
  | { readonly kind: 'wait' }
  | { readonly kind: 'pause'; readonly ms: number; readonly wave: number }
  | { readonly kind: 'stop'; readonly stop: RolloutStop }
  | { readonly kind: 'end' }
  | { readonly kind: 'over'; readonly stop: Stop | null };

/**
 * Decides from its record what a rollout does next, for the command line and the server. An account starts only if every
 * account of all earlier waves has ended and none is unverified, if no canary has failed, if no more than the allowed
 * number of accounts has failed, and if nothing from outside stops the rollout.
 */
export function decideRollout(rollout: Rollout, given: RolloutNow): RolloutMove {
  const { head, accounts, lastEndAt } = rollout;
  if (rollout.state !== 'running')
    return { kind: 'over', stop: rollout.state === 'aborted' ? aborted : rollout.stop };
  const stop = given.outside ?? stopOfAccounts(rollout);
  if (stop !== undefined) return { kind: 'stop', stop };
  for (const [wave, { accounts: names }] of head.waves.entries()) {
    const members = names.flatMap((name) => accounts.get(name) ?? []);
    const running = members.filter(given.isRunning).length;
    const pending = members.filter((each) => !isEnded(each) && !given.isRunning(each));
    const [account] = pending;
    if (account === undefined) {
      if (running > 0) return { kind: 'wait' };
      continue;
    }
    if (running >= head.parallel) return { kind: 'wait' };
    const isNew = pending.length === members.length;
    const since = lastEndAt === null ? head.pause_ms : given.now - Date.parse(lastEndAt);
    // The clock of the machine that recorded the last end may be ahead of this one.
    const left = head.pause_ms - Math.max(0, since);
    if (isNew && wave > 0 && left > 0) return { kind: 'pause', ms: left, wave };
    return { kind: 'start', account, wave };
  }
  return { kind: 'end' };
}

function isEnded({ status }: RolloutAccount): boolean {
  return status === 'done' || status === 'failed';
}

const aborted: Stop = { kind: 'aborted', why: 'it was aborted' };

/** The exit code of a run after which the account does not have the planned state. */
const unverifiedCode = 8;

function stopOfAccounts({ head, accounts, maxFailed }: Rollout): RolloutStop | undefined {
  const inWaves = head.waves.flatMap((wave) =>
    wave.accounts.map((name) => ({ name, isCanary: wave.is_canary, account: accounts.get(name) })),
  );
  const failed = inWaves.filter(({ account }) => account?.status === 'failed');
  const unverified = failed.find(({ account }) => account?.exitCode === unverifiedCode);
  if (unverified !== undefined) {
    const { name } = unverified;
    return {
      kind: 'unverified',
      account: name,
      why: `${name} does not have the planned state after its run`,
    };
  }
  const canary = failed.find(({ isCanary }) => isCanary);
  if (canary !== undefined)
    return { kind: 'failed-canary', account: canary.name, why: `the canary account ${canary.name} failed` };
  // Accounts whose plans could not be made have no wave.
  const failedBefore = head.left_out.filter(({ status }) => status === 'failed').length;
  const failures = failed.length + failedBefore;
  const allowed = allowedFailures(maxFailed, head.accounts.length + failedBefore);
  if (failures <= allowed) return undefined;
  const words = count(failures, 'account failed', 'accounts failed');
  return { kind: 'failed-accounts', why: `${words}, and ${allowed === 0 ? 'none' : allowed} may fail` };
}

/** A share is rounded down, so that 2% of ten accounts allows none. */
function allowedFailures(maxFailed: Limit, total: number): number {
  if (maxFailed.kind === 'count') return maxFailed.count;
  return shareOf(maxFailed.percent, total);
}

/** The event that records a stop, or that all accounts have ended. */
export function endOfRollout(stop: RolloutStop | null, at: string): RolloutEvent {
  if (stop === null) return { type: 'completed', at };
  const { kind: reason, ...rest } = stop;
  return { type: 'stopped', at, reason, ...rest };
}
