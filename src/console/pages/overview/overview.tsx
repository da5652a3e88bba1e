import { useEffect } from 'preact/hooks';
import type { History, Overview as OverviewBody } from '../../../api/overview.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { NameLink } from '../../../output/components/text.tsx';
import { consoleAddress, useAddress } from '../../browser/address.ts';
import { useOverview } from '../../data/overview.ts';
import { useResource } from '../../data/resource.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { Trend } from '../../parts/trend.tsx';
import { verdict } from '../../words/verdict.ts';
import { CauseList } from './causes.tsx';
import { HealthStrip } from './health-strip.tsx';
import './overview.css';
import { WaitingList } from './waiting.tsx';
import { RolloutList, RunningList } from './work.tsx';

/** Answers four questions: is everything as it should be, what differs, what waits for me, and what is running? */
export function OverviewPage() {
  const overview = useOverview();
  const { value } = overview;
  if (value?.accounts === 0) return <NoAccounts />;
  return (
    <Page
      title="Overview"
      heading={value === null ? undefined : verdict(value)}
      below={value === null ? undefined : <Below overview={value} />}
      class="overview"
    >
      <Loaded of={overview} tried="Reading the overview" lines={12}>
        {(body) => (
          <>
            <HealthStrip overview={body} />
            <Trends />
            <div class="overview-columns">
              <CauseList {...body} />
              <div class="overview-side">
                <WaitingList {...body} />
                <RunningList {...body} />
                <RolloutList {...body} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Below({ overview }: { readonly overview: OverviewBody }) {
  const { accounts, hosts, drifted: differing, oldest_check: oldest, changed } = overview;
  return (
    <ul class="dotted">
      <li>{counted(accounts, 'account')}</li>
      <li>
        {counted(hosts, 'host')}
        {differing === 0 ? null : (
          <>
            , <a href={consoleAddress.hosts({ drifted: 'true' })}>{figure(differing)} differ</a>
          </>
        )}
      </li>
      {oldest === null ? null : (
        <li>
          oldest check <Time at={oldest.at} /> (
          <NameLink href={consoleAddress.account(oldest.account)} name={oldest.account} />)
        </li>
      )}
      <li>
        {changed.changes === 0
          ? 'no changes in the last 24 hours'
          : `${counted(changed.changes, 'change')} on ${counted(changed.accounts, 'account')} in the last 24 hours`}
      </li>
    </ul>
  );
}

function Trends() {
  const history = useResource<History>('/history', {
    query: { days: 7 },
    when: ({ type }) => type !== 'run.event',
    quiet: 5_000,
  });
  if (history.value === null)
    return history.problem === null ? (
      <Skeleton lines={3} />
    ) : (
      <p class="dim">The charts can't be loaded now.</p>
    );
  const { from, bucket_seconds: bucketSeconds, series } = history.value;
  const curves = [
    ['Hosts that differ', series.drifted, 'last'],
    ['Changes', series.changes, 'all'],
    ['"Too many requests" responses', series.rate_limited, 'all'],
  ] as const;
  return (
    <div class="trends">
      {curves.map(([title, values, sum]) =>
        values === undefined || values.length < 2 ? null : (
          <Trend
            key={title}
            title={title}
            values={values}
            from={from}
            bucketSeconds={bucketSeconds}
            sum={sum}
          />
        ),
      )}
    </div>
  );
}

/** Without accounts, the first visit continues on the page that connects one. */
function NoAccounts() {
  const { go } = useAddress();
  useEffect(() => go(consoleAddress.welcome(), 'replace'), [go]);
  return null;
}
