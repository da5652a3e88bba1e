import type { RolloutRow } from '../../../api/runs.ts';
import { figure } from '../../../output/components/numbers.ts';
import { Name } from '../../../output/components/text.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Time } from '../../parts/time.tsx';
import { runMarks, waveMarks } from '../../words/state-marks.ts';
import { waveText } from './rollout-words.ts';

/** Of a wave that is over, but not all of whose accounts are done. */
const endedMark = { ...runMarks.failed, word: 'ended' };

/** When a rollout started, and who started it. */
export function StartedBy({ of: { started_at: at, by } }: { readonly of: RolloutRow }) {
  return (
    <span class="dim">
      started <Time at={at} /> by {by === null ? 'the server' : <Name name={by.name} />}
    </span>
  );
}

/** The waves from left to right. The area of each grows with its number of accounts. */
export function Waves({ rollout }: { readonly rollout: Pick<RolloutRow, 'wave' | 'waves'> }) {
  return (
    <ol class="waves">
      {rollout.waves.map((wave, index) => (
        <li
          key={`${index} ${wave.name}`}
          class={`card wave ${wave.state}`}
          aria-current={index === rollout.wave && wave.state === 'running' ? 'step' : undefined}
          style={{ flexGrow: Math.max(1, Math.sqrt(wave.accounts)) }}
        >
          <p class="wave-head">
            <span class="wave-number">{figure(index + 1)}</span> <Name name={wave.name} />
          </p>
          <Segments
            label={`Wave ${index + 1}`}
            whole={wave.accounts}
            segments={[
              { word: 'done', size: wave.done, tone: 'green' },
              { word: 'failed', size: wave.failed, tone: 'red' },
              { word: 'running', size: wave.running, tone: 'blue' },
            ]}
          />
          <p class="dotted fine">
            <StateMark
              mark={wave.state === 'done' && wave.failed > 0 ? endedMark : waveMarks[wave.state]}
              isQuiet
            />{' '}
            <span>{waveText(wave)}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}
