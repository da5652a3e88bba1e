import { type Health, type WaitingFor, waitingReasons } from '../../../api/accounts.ts';
import type { OpenRun } from './account-state.ts';

/** What decides for whom an account waits. */
interface Standing {
  readonly health: Health | null;
  readonly plan: { readonly state: string } | null;
  readonly runState: OpenRun['state'] | null;
  /** What a worker that looked at the queued run found; null if no worker has looked at it. */
  readonly runWaitsFor: 'window' | 'pause' | null;
  readonly isPaused: boolean;
}

/** Null unless the account waits. */
export function whomItWaitsFor({
  health,
  plan,
  runState,
  runWaitsFor,
  isPaused,
}: Standing): WaitingFor | null {
  if (health !== 'waiting') return null;
  if (runState !== null) return runState === 'queued' ? (runWaitsFor ?? 'worker') : null;
  if (plan?.state === 'waiting') return 'approval';
  if (plan?.state === 'approved') return isPaused ? 'pause' : 'rollout';
  return 'check';
}

/** Accounts that wait, and that only a pause could distinguish. */
export interface WaitingAccounts extends Omit<Standing, 'health' | 'isPaused'> {
  readonly names: readonly string[];
}

/** How many accounts wait for whom or for what. */
export function countWaiting(
  groups: readonly WaitingAccounts[],
  isPaused: (name: string) => boolean,
): Readonly<Record<WaitingFor, number>> {
  const counts = Object.fromEntries(waitingReasons.map((each) => [each, 0])) as Record<WaitingFor, number>;
  for (const { names, ...standing } of groups) {
    for (const name of names) {
      const what = whomItWaitsFor({ health: 'waiting', ...standing, isPaused: isPaused(name) });
      if (what !== null) counts[what] += 1;
    }
  }
  return counts;
}

/** The health of an account without differences follows the pauses: they begin and end between two checks. */
export function pausedHealth(health: Health | null, hasIgnored: boolean, isPaused: boolean): Health | null {
  if (isPaused) return health === 'converged' || health === 'ignored' ? 'paused' : health;
  if (health !== 'paused') return health;
  return hasIgnored ? 'ignored' : 'converged';
}
