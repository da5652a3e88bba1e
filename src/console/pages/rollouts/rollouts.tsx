import type { RolloutRow } from '../../../api/runs.ts';
import { NameLink } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { maySomewhere } from '../../data/may.ts';
import { usePages } from '../../data/pages.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Listed } from '../../parts/listed.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { OrderNotice } from '../../parts/virtual-table.tsx';
import { rolloutMarks } from '../../words/state-marks.ts';
import '../../../output/components/style/review.css';
import './rollouts.css';
import { progressText, rolloutChangesText } from './rollout-words.ts';
import { StartedBy, Waves } from './waves.tsx';

const keyOf = ({ id }: RolloutRow) => id;

/** All rollouts, the newest first, each with its waves as a picture. */
export function Rollouts() {
  const store = usePages<RolloutRow>('/rollouts', {
    keyOf,
    when: ({ type }) => type === 'rollout.changed' || type === 'run.changed',
    limit: 25,
  });
  return (
    <Page
      title="Rollouts"
      below={<p>A rollout applies plans of many accounts in waves, and starts with a few accounts.</p>}
      actions={
        maySomewhere('rollout') ? (
          <ButtonLink kind="primary" href={consoleAddress.newRollout()}>
            New rollout
          </ButtonLink>
        ) : null
      }
    >
      <div class="noticed">
        <OrderNotice store={store} />
        <Listed
          of={store}
          tried="Reading the rollouts"
          empty={
            <EmptyState title="No rollout yet">
              <p>
                It starts with plans of several accounts: those of one cause, or of the accounts that you
                select.
              </p>
            </EmptyState>
          }
        >
          {(rows) => (
            <ul class="rollouts">
              {rows.map((rollout) => (
                <li key={rollout.id} class="rollout" data-row>
                  <div class="rollout-head">
                    <h2>
                      <NameLink href={consoleAddress.rollout(rollout.id)} name={rollout.name} />
                    </h2>
                    <StateMark mark={rolloutMarks[rollout.state]} />
                    <StartedBy of={rollout} />
                  </div>
                  <p>
                    {progressText(rollout)} <span class="dim">{rolloutChangesText(rollout)}</span>
                  </p>
                  <Waves rollout={rollout} />
                </li>
              ))}
            </ul>
          )}
        </Listed>
      </div>
    </Page>
  );
}
