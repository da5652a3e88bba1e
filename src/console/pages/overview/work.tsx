import type { Overview } from '../../../api/overview.ts';
import { atLeast, figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Tag } from '../../../output/components/tag.tsx';
import { NameLink } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { Bar } from '../../parts/charts.tsx';
import { Time } from '../../parts/time.tsx';
import { accountTotals, waveOf } from '../rollouts/rollout-words.ts';

const most = 6;

/** Runs that change fleets now. */
export function RunningList({
  running: runs,
  more: { running: hasMore },
}: Pick<Overview, 'running' | 'more'>) {
  return (
    <Section title="Running" count={runs.length === 0 ? undefined : atLeast(runs.length, hasMore)}>
      <div class="card list">
        {runs.length === 0 ? <p class="list-none">Nothing is changing a fleet now.</p> : null}
        {runs.slice(0, most).map((run) => (
          <div key={run.id} class="list-row" data-row>
            <NameLink class="list-title" href={consoleAddress.run(run.id)} name={run.account} />
            <span class="fine list-time">
              {run.started_at === null ? 'queued' : <Time at={run.started_at} />}
            </span>
            <span class="list-bar">
              <Bar part={run.steps.done} whole={run.steps.total} label={`Steps done for ${run.account}`} />
            </span>
            {run.steps.failed + run.steps.in_doubt > 0 ? (
              <span class="list-text">
                {run.steps.failed > 0 ? <Tag tone="red">{figure(run.steps.failed)} failed</Tag> : null}
                {run.steps.in_doubt > 0 ? (
                  <Tag tone="violet">{figure(run.steps.in_doubt)} in doubt</Tag>
                ) : null}
              </span>
            ) : null}
          </div>
        ))}
        {runs.length > most ? (
          <p class="list-more">
            <a href={consoleAddress.accounts({ health: 'running' })}>
              All {hasMore ? '' : `${figure(runs.length)} `}runs
            </a>
          </p>
        ) : null}
      </div>
    </Section>
  );
}

/** Rollouts under way, with their waves. */
export function RolloutList({ rollouts }: Pick<Overview, 'rollouts'>) {
  if (rollouts.length === 0) return null;
  return (
    <Section title="Rollouts" count={figure(rollouts.length)}>
      <div class="card list">
        {rollouts.slice(0, most).map((rollout) => {
          const { accounts, done } = accountTotals(rollout);
          return (
            <div key={rollout.id} class="list-row" data-row>
              <NameLink class="list-title" href={consoleAddress.rollout(rollout.id)} name={rollout.name} />
              <span class="fine list-time">
                <Time at={rollout.started_at} />
              </span>
              <span class="list-text">
                {waveOf(rollout)}
                {rollout.state === 'waiting' || rollout.state === 'stopped' ? (
                  <Tag tone="amber">{rollout.state}</Tag>
                ) : null}
              </span>
              <span class="list-bar">
                <Bar part={done} whole={accounts} label={`Accounts done in ${rollout.name}`} />
              </span>
            </div>
          );
        })}
      </div>
    </Section>
  );
}
