import type { Overview } from '../../../api/overview.ts';
import { pageOf } from '../../browser/address.ts';
import { useStable } from '../../data/stable.ts';
import { Tag } from '../../parts/mark.tsx';
import { Newest } from '../../parts/newest.tsx';
import { Section } from '../../parts/page.tsx';
import { Name, Time } from '../../parts/text.tsx';
import { changesText } from '../../words/changes.ts';
import { counted, figure } from '../../words/numbers.ts';

const most = 6;

/** Plans that this person may approve. */
export function WaitingList({ plans }: { readonly plans: Overview['waiting'] }) {
  const mine = plans.filter((plan) => plan.may_approve.allowed);
  const others = plans.length - mine.length;
  const list = useStable(mine, ({ id }) => id);
  return (
    <Section
      title="Waiting for you"
      count={mine.length === 0 ? undefined : figure(mine.length)}
      actions={<Newest list={list} />}
    >
      <div class="card list">
        {list.rows.length === 0 ? <p class="list-none">No plan waits for your approval.</p> : null}
        {list.rows.slice(0, most).map(({ item, isGone }) => (
          <div key={item.id} class="list-row" data-row>
            <a class="list-title" href={pageOf.plan(item.id)}>
              <Name name={item.account} />
            </a>
            <span class="list-time">
              <Time at={item.created_at} />
            </span>
            <span class="list-text">
              {changesText(item.counts)}
              {item.irreversible > 0 ? (
                <Tag tone="red">{figure(item.irreversible)} can't be undone</Tag>
              ) : null}
              {item.is_paused === true ? <Tag>paused</Tag> : null}
              {isGone ? <Tag>no longer waiting</Tag> : null}
            </span>
          </div>
        ))}
        {list.rows.length > most || others > 0 ? (
          <p class="list-more">
            <a href={pageOf.approvals()}>
              {others > 0 ? `${counted(others, 'more plan')} for other people` : 'All plans that wait'}
            </a>
          </p>
        ) : null}
      </div>
    </Section>
  );
}
