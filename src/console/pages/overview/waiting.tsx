import type { Overview } from '../../../api/overview.ts';
import { atLeast, counted, figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Tag } from '../../../output/components/tag.tsx';
import { NameLink } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { useStable } from '../../data/stable.ts';
import { Newest } from '../../parts/newest.tsx';
import { Time } from '../../parts/time.tsx';
import { changesText } from '../../words/changes.ts';

const most = 6;

/** Plans that this person may approve. */
export function WaitingList({ waiting: plans, more }: Pick<Overview, 'waiting' | 'more'>) {
  /** The server has more plans that wait: these are the latest. */
  const hasMore = more.waiting;
  const mine = plans.filter((plan) => plan.may_approve.allowed);
  const others = plans.length - mine.length;
  const list = useStable(mine, ({ id }) => id);
  return (
    <Section
      title="Waiting for you"
      count={mine.length === 0 ? undefined : atLeast(mine.length, hasMore)}
      actions={<Newest list={list} />}
    >
      <div class="card list">
        {list.rows.length === 0 ? (
          <p class="list-none">
            {hasMore
              ? 'None of the latest plans waits for your approval.'
              : 'No plan waits for your approval.'}
          </p>
        ) : null}
        {list.rows.slice(0, most).map(({ item, isGone }) => (
          <div key={item.id} class="list-row" data-row>
            <NameLink class="list-title" href={consoleAddress.change(item.id)} name={item.account} />
            <span class="fine list-time">
              <Time at={item.created_at} />
            </span>
            <span class="list-text">
              {changesText(item.counts)}
              {item.irreversible > 0 ? (
                <Tag tone="red">{figure(item.irreversible)} can't be undone</Tag>
              ) : null}
              {item.is_paused ? <Tag>paused</Tag> : null}
              {isGone ? <Tag>{hasMore ? 'no longer among the latest' : 'no longer waiting'}</Tag> : null}
            </span>
          </div>
        ))}
        {list.rows.length > most || others > 0 || hasMore ? (
          <p class="list-more">
            <a href={consoleAddress.approvals()}>
              {others > 0 && !hasMore
                ? `${counted(others, 'plan')} for other approvers`
                : 'All plans that wait'}
            </a>
          </p>
        ) : null}
      </div>
    </Section>
  );
}
