import { isVisible, type Visible } from '../../../api/access/grants.ts';
import type { RolloutDetail, RolloutRow } from '../../../api/runs.ts';
import type { RolloutLog } from '../../../run/state/rollout/rollout.ts';
import { type Rollout, type RolloutAccount, rolloutOf } from '../../../run/state/rollout/rollout.ts';

type Wave = RolloutRow['waves'][number];

const states: Readonly<Record<Rollout['state'], RolloutRow['state']>> = {
  draft: 'waiting',
  running: 'running',
  stopped: 'stopped',
  completed: 'done',
  aborted: 'aborted',
  undoing: 'running',
  undone: 'aborted',
};

/** A rollout with the accounts that the caller may see; undefined if there are none. */
export function toRolloutDetail(log: RolloutLog, visible: Visible): RolloutDetail | undefined {
  const rollout = rolloutOf(log);
  const accounts = [...rollout.accounts.values()].filter(({ name }) => isVisible(visible, name));
  if (accounts.length === 0) return undefined;
  const { head } = rollout;
  const waves = head.waves.map(({ name }, index) =>
    toWave(
      name,
      accounts.filter(({ wave }) => wave === index),
      rollout,
    ),
  );
  const current = waves.findIndex(({ state }) => state === 'running' || state === 'stopped');
  const state = states[rollout.state];
  const isEnded = state === 'done' || state === 'aborted';
  return {
    id: rollout.id,
    name: head.origin.reason ?? rollout.id,
    state,
    reason: stopReason(rollout.stop, visible),
    by: { kind: 'person', id: head.origin.actor, name: head.origin.actor },
    started_at: utc(head.at),
    ended_at: isEnded ? utc(rollout.lastAt) : null,
    wave: current >= 0 ? current : waves.filter(({ state }) => state === 'done').length,
    waves,
    accounts: accounts.flatMap(({ name, wave, status, runId }) =>
      wave === null ? [] : [{ account: name, wave, state: status, run: runId }],
    ),
  };
}

/** The words may name the account that stopped it. */
function stopReason(stop: Rollout['stop'], visible: Visible): string | null {
  if (stop === null) return null;
  const { account } = stop;
  return account === null || isVisible(visible, account)
    ? stop.why
    : 'an account that you may not see stopped it';
}

/** The row of a list: a rollout without its accounts. */
export function toRolloutRow({ accounts: _accounts, ...row }: RolloutDetail): RolloutRow {
  return row;
}

function toWave(name: string, accounts: readonly RolloutAccount[], { state }: Rollout): Wave {
  const count = (...statuses: readonly RolloutAccount['status'][]) =>
    accounts.filter(({ status }) => statuses.includes(status)).length;
  const done = count('done', 'undone');
  const failed = count('failed', 'undo-failed');
  const running = count('running');
  const isDone = done + failed + count('skipped') === accounts.length;
  const hasBegun = done + failed + running > 0;
  const stateOfWave = isDone ? 'done' : !hasBegun ? 'pending' : state === 'running' ? 'running' : 'stopped';
  return { name, accounts: accounts.length, done, failed, running, state: stateOfWave };
}

function utc(at: string): string {
  return new Date(at).toISOString();
}
