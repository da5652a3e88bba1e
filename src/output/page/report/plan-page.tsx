import type { ComponentChildren } from 'preact';
import { Calls } from '../../components/calls.tsx';
import { PlanCauses } from '../../components/causes.tsx';
import { Chains } from '../../components/chains.tsx';
import { actionText } from '../../components/change-words.ts';
import { GroupChanges } from '../../components/group-changes.tsx';
import { Irreversible, Unusual } from '../../components/host-section.tsx';
import { counted, figure } from '../../components/numbers.ts';
import { planTiles } from '../../components/plan-totals.ts';
import { Problems } from '../../components/problems.tsx';
import { Section } from '../../components/section.tsx';
import { Name, Text } from '../../components/text.tsx';
import { Tiles } from '../../components/tiles.tsx';
import type { PlanReview } from '../../review/plan-review.ts';
import type { PlanPage } from '../plan-page-data.ts';
import { ComparisonSection } from './comparison.tsx';
import { LinkList, PageFrame, ReportBanner } from './page-frame.tsx';
import { PendingSection } from './pending.tsx';
import { aroundReportHosts } from './surroundings.ts';
import { TimesSection } from './times.tsx';

/** Hosts that a reader without JavaScript sees. */
const mostWithoutScript = 100;
/** A longer list of unusual changes no longer names exceptions. */
const mostUnusual = 100;

/** The plan, in the same parts and the same order as in the console. */
export function PlanPageBody({ page }: { readonly page: PlanPage }) {
  const { review, unusual, calls, counts, more, comparison, pending, times } = page;
  const { hosts, irreversible } = review;
  const around = aroundReportHosts(review.problems);
  const chains = review.chains.length + review.more.chains;
  const shown = unusual.slice(0, mostUnusual);
  return (
    <PageFrame
      title="Plan"
      sum={page.summary}
      banners={page.banners.map(toBanner)}
      facts={page.facts.map(([name, value]) => [
        name,
        name === 'Pull request' ? (
          <a key={name} href={value} rel="noreferrer">
            <Text text={value} />
          </a>
        ) : (
          <Text key={name} text={value} />
        ),
      ])}
    >
      <Tiles tiles={[...planTiles({ ...review, calls, counts, chains }), ...page.moreTiles]} />
      <LinkList page={page} />
      <Irreversible hosts={irreversible} all={irreversible.length} around={around} />
      <Unusual
        hosts={shown}
        all={unusual.length}
        around={around}
        rest={`and ${counted(unusual.length - shown.length, 'more host')}`}
      />
      <ComparisonSection comparison={comparison} />
      <PendingSection pending={pending} refreshes={counts.refresh} />
      <Problems problems={review.problems} more={review.more.problems} />
      <GroupChanges groups={review.groups} />
      <PlanCauses causes={review.causes} />
      {hosts.length === 0 ? null : (
        <Section id="hosts" title="Hosts" count={figure(hosts.length)}>
          <div id="explorer">
            <FirstHosts hosts={hosts} />
          </div>
        </Section>
      )}
      <Chains chains={review.chains} more={review.more.chains} />
      {calls === 0 ? null : <Calls costs={{ ...review, calls }} rest={more} />}
      <TimesSection times={times} />
    </PageFrame>
  );
}

function toBanner({ tone, text, href }: PlanPage['banners'][number]): ComponentChildren {
  return (
    <ReportBanner key={text} tone={tone}>
      {href === undefined ? text : <a href={href}>{text}</a>}
    </ReportBanner>
  );
}

/** What a reader without JavaScript sees in place of a table with search, in few bytes a host. */
function FirstHosts({ hosts }: Pick<PlanReview, 'hosts'>) {
  const first = hosts.slice(0, mostWithoutScript);
  const left = hosts.length - first.length;
  return (
    <noscript>
      <p class="dim">
        Searching and sorting needs JavaScript. Without it, <code>rampart show plan.json</code> lists
        everything.
      </p>
      <ol class="changes">
        {first.map((host) => (
          <li key={host.host_id}>
            <Name name={host.name} /> {host.host_id}: {actionText(host)}
            {[host.new_name, host.new_group]
              .filter((each) => each !== null)
              .map((each) => (
                <>
                  {' '}
                  → <Name name={each} />
                </>
              ))}
          </li>
        ))}
      </ol>
      {left > 0 ? <p class="more">and {counted(left, 'more host')}</p> : null}
    </noscript>
  );
}
