import type { RolloutRow } from '../../../api/runs.ts';
import { isEndedRollout } from '../../../api/states.ts';
import { capitalized, counted, figure } from '../../../output/components/numbers.ts';
import { changesText } from '../../words/changes.ts';

type Wave = RolloutRow['waves'][number];

export function accountTotals({ waves }: Pick<RolloutRow, 'waves'>) {
  const sum = (of: (wave: Wave) => number) => waves.reduce((total, wave) => total + of(wave), 0);
  return {
    accounts: sum(({ accounts }) => accounts),
    done: sum(({ done }) => done),
    failed: sum(({ failed }) => failed),
  };
}

/** `wave 2 of 4`, or `stopped before wave 2 of 4` if the wave did not begin. */
export function waveOf({ state, wave, waves }: Pick<RolloutRow, 'state' | 'wave' | 'waves'>): string {
  if (state === 'done' || wave >= waves.length) return counted(waves.length, 'wave');
  const isOver = state !== 'running' && state !== 'waiting' && waves[wave]?.state === 'pending';
  return `${isOver ? `${state} before ` : ''}wave ${figure(wave + 1)} of ${figure(waves.length)}`;
}

/** `Wave 2 of 4, 16 of 78 accounts done, 1 failed: the canary account berlin failed.` */
export function progressText(rollout: RolloutRow): string {
  const { accounts, done, failed } = accountTotals(rollout);
  const failures = failed === 0 ? '' : `, ${figure(failed)} failed`;
  const reason = rollout.reason === null ? '' : `: ${rollout.reason}`;
  return `${capitalized(waveOf(rollout))}, ${figure(done)} of ${counted(accounts, 'account')} done${failures}${reason}.`;
}

/** `Changed so far: 12 renames.` */
export function rolloutChangesText({ state, changed }: Pick<RolloutRow, 'state' | 'changed'>): string {
  return `${isEndedRollout(state) ? 'Changed' : 'Changed so far'}: ${changesText(changed)}.`;
}

/** `14 of 24 done, 1 failed, 3 running`. */
export function waveText({ accounts, done, failed, running }: Wave): string {
  return [
    `${figure(done)} of ${figure(accounts)} done`,
    ...(failed > 0 ? [`${figure(failed)} failed`] : []),
    ...(running > 0 ? [`${figure(running)} running`] : []),
  ].join(', ');
}

/** What a person may do to a rollout in its state. */
export function rolloutActs({
  state,
}: Pick<RolloutRow, 'state'>): readonly ('stop' | 'continue' | 'abort')[] {
  switch (state) {
    case 'running':
    case 'waiting':
      return ['stop', 'abort'];
    case 'stopped':
      return ['continue', 'abort'];
    case 'aborted':
    case 'done':
      return [];
  }
}
