import type { LockHolder } from '../../run/state/lease/lease-holder.ts';
import type { Rollout, RolloutAccount, RolloutAccountStatus } from '../../run/state/rollout/rollout.ts';

/** The status of a rollout as JSON: `rampart rollout show --json`, and the last event of its run. */
export function toRolloutDocument(rollout: Rollout, exitCode: number, holder: LockHolder | null = null) {
  const { head, maxFailed, accounts } = rollout;
  return {
    format_version: '1.0',
    ...toRolloutSummary(rollout, exitCode),
    index_checksum: head.index_checksum,
    max_failed: maxFailed.kind === 'count' ? maxFailed.count : `${maxFailed.percent}%`,
    run_by:
      holder === null
        ? null
        : { machine: holder.machine, process: holder.pid, user: holder.user, since: holder.since },
    waves: head.waves.map(({ name, is_canary, accounts: names }) => ({
      name,
      is_canary,
      accounts: names.flatMap((each) => {
        const account = accounts.get(each);
        return account === undefined ? [] : [accountDocument(account)];
      }),
    })),
    left_out: head.left_out,
  };
}

/** A rollout in a list: without its waves and accounts. */
export function toRolloutSummary(rollout: Rollout, exitCode: number) {
  const { id, head, state, stop, lastAt } = rollout;
  return {
    rollout_id: id,
    state,
    exit_code: exitCode,
    stop: stop === null ? null : { reason: stop.kind, account: stop.account ?? null, why: stop.why },
    started_at: head.at,
    last_at: lastAt,
    started_by: head.origin.actor,
    totals: totalsOf(rollout),
  };
}

function accountDocument({ name, status, exitCode, runId, why }: RolloutAccount) {
  return { account: name, status, exit_code: exitCode, run_id: runId, why };
}

/** How many accounts have each status. */
export function totalsOf({ accounts }: Rollout): Readonly<Record<RolloutAccountStatus, number>> {
  const totals = { pending: 0, running: 0, done: 0, failed: 0, skipped: 0, undone: 0, 'undo-failed': 0 };
  for (const { status } of accounts.values()) totals[status] += 1;
  return totals;
}
