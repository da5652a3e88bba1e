import type { RolloutRow } from '../../../api/runs.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { changesText } from '../../words/changes.ts';

type Wave = RolloutRow['waves'][number];

function totalsOf({ waves }: Pick<RolloutRow, 'waves'>) {
  const sum = (of: (wave: Wave) => number) => waves.reduce((total, wave) => total + of(wave), 0);
  return {
    accounts: sum(({ accounts }) => accounts),
    done: sum(({ done }) => done),
    failed: sum(({ failed }) => failed),
  };
}

/** `Wave 2 of 4, 16 of 78 accounts done, 1 failed`. */
export function progressText(rollout: RolloutRow): string {
  const { accounts, done, failed } = totalsOf(rollout);
  const at =
    rollout.state === 'done'
      ? counted(rollout.waves.length, 'wave')
      : `Wave ${figure(Math.min(rollout.wave + 1, rollout.waves.length))} of ${figure(rollout.waves.length)}`;
  return `${at}, ${figure(done)} of ${counted(accounts, 'account')} done${failed === 0 ? '' : `, ${figure(failed)} failed`}`;
}

/** `Changed so far: 12 renames.` */
export function rolloutChangesText({ state, changed }: Pick<RolloutRow, 'state' | 'changed'>): string {
  const isOver = state === 'done' || state === 'aborted';
  return `${isOver ? 'Changed' : 'Changed so far'}: ${changesText(changed)}.`;
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
