import type { Clock } from '../../core/lib/surroundings.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { RolloutAccount } from '../../run/state/rollout/rollout.ts';
import { decideRollout, type RolloutMove, type RolloutNow } from './decide-rollout.ts';
import type { RecordKeeper } from './rollout-record-keeper.ts';

export interface RolloutDriver {
  readonly record: RecordKeeper;
  readonly clock: Clock;
  readonly isRunning: RolloutNow['isRunning'];
  readonly outside: () => RolloutNow['outside'];
  /** Begins the run of an account whose start is recorded. */
  readonly start: (account: RolloutAccount, wave: number) => Promise<Result<unknown>>;
}

/**
 * Starts every account whose turn it is, and returns what to do next. The command line does so until the rollout ends, the
 * server in each step. Each start is claimed in the record first, so no account starts after another process has appended
 * an abort or taken the rollout over.
 */
export async function startAccounts({
  record,
  clock,
  isRunning,
  outside,
  start,
}: RolloutDriver): Promise<Result<Exclude<RolloutMove, { readonly kind: 'start' }>>> {
  for (;;) {
    const now = clock.now();
    const move = decideRollout(record.current(), { isRunning, outside: outside(), now });
    if (move.kind !== 'start') return ok(move);
    const { account, wave } = move;
    const at = new Date(now).toISOString();
    const claimed = await record.claim([{ type: 'account-started', at, account: account.name }]);
    if (!claimed.ok) return claimed;
    // Another process has appended something, so the next move may be another one.
    if (!claimed.value) continue;
    const started = await start(account, wave);
    if (!started.ok) return started;
  }
}
