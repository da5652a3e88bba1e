import { type RolloutLog, rolloutOf } from '../../../src/run/state/rollout/rollout.ts';
import type { PlanRecord } from '../../../src/server/plans/records/plan-record.ts';
import type { Tables } from '../store/tables.ts';

/** The rollout that a plan is part of, whoever approved it. */
export function rolloutWith(
  { account, checksum }: Pick<PlanRecord, 'account' | 'checksum'>,
  { rollouts }: Tables,
): RolloutLog | undefined {
  const logs = [...rollouts.entries()].map(([, log]) => log);
  return logs.findLast(({ head }) =>
    head.accounts.some((each) => each.account === account && each.plan_checksum === checksum),
  );
}

/** Nobody can apply a plan that was approved for a rollout which someone aborted. Whoever stops one may continue it. */
export function isLeftBehind(plan: PlanRecord, tables: Tables): boolean {
  if (plan.state !== 'approved' || plan.approvals.at(-1)?.via !== 'rollout') return false;
  const rollout = rolloutWith(plan, tables);
  return (
    tables.openRuns.get(plan.account) === undefined &&
    rollout !== undefined &&
    rolloutOf(rollout).state === 'aborted'
  );
}

/** The run of an account is its turn in a rollout, and not earlier. */
export function hasTurn(account: string, { events }: RolloutLog): boolean {
  return events.some((event) => event.type === 'account-started' && event.account === account);
}

/** Why the latest events of a rollout must not follow the earlier ones; undefined if they may. */
export function wrongMove(
  before: RolloutLog | undefined,
  log: RolloutLog,
  tables: Tables,
): string | undefined {
  const known = before?.events ?? [];
  for (let at = known.length; at < log.events.length; at += 1) {
    const event = log.events[at];
    const { state, accounts } = rolloutOf({ ...log, events: log.events.slice(0, at), revision: at });
    if (event?.type === 'account-started') {
      const { wave } = accounts.get(event.account) ?? {};
      if (state !== 'running') return `${event.account} starts in a rollout that is ${state}`;
      for (const each of accounts.values())
        if (each.wave !== null && each.wave < (wave ?? 0) && each.status !== 'done')
          return `${event.account} starts while ${each.name}, which comes earlier, is ${each.status}`;
    }
    if (event?.type === 'account-ended' && event.exit_code === 0) {
      const checksum = accounts.get(event.account)?.planChecksum;
      const isDone = [...tables.runs.entries()].some(
        ([, { run }]) =>
          run.account === event.account &&
          run.state === 'done' &&
          tables.plans.get(run.plan ?? '')?.plan.checksum === checksum,
      );
      if (!isDone) return `${event.account} counts as done, and no run of it is`;
    }
  }
  return undefined;
}

/** Whether the server itself ended a rollout, and not a person. */
export function hasEndedItself(log: RolloutLog): boolean {
  const { state, stop } = rolloutOf(log);
  return state === 'completed' || (state === 'stopped' && !/ stopped it: /.test(stop?.why ?? ''));
}

/** A rollout continues as long as none of its accounts waits for a person, or for a time. */
export function rolloutStuckWhy(log: RolloutLog, tables: Tables, isPaused: (account: string) => boolean) {
  const { state, accounts } = rolloutOf(log);
  if (state !== 'running') return undefined;
  const running = [...accounts.values()].filter(({ status }) => status === 'running');
  return running.some(({ name }) => isPaused(name))
    ? undefined
    : `is running, with ${running.map(({ name }) => `${name}: run ${tables.openRuns.get(name) ?? 'none'}`).join(', ') || 'no account'}`;
}
