import type { PlanRow } from '../../../api/plans.ts';
import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { type Column, Table } from '../../../output/components/table.tsx';
import { Tag } from '../../../output/components/tag.tsx';
import { Count } from '../../../output/components/text.tsx';
import { usePages } from '../../data/pages.ts';
import { Page } from '../../parts/page.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { OrderNotice } from '../../parts/virtual-table.tsx';
import { PlanChanges, planAccountColumn } from '../change/plan-columns.tsx';
import { inboxOf } from './inbox.ts';
import '../../../output/components/style/review.css';
import './approvals.css';
import { Author } from '../change/author.tsx';

const keyOf = ({ id }: PlanRow) => id;

/** The plans that wait for a decision: first those that the reader may decide on. */
export function Approvals() {
  const store = usePages<PlanRow>('/plans', {
    keyOf,
    query: { state: 'waiting' },
    when: ({ type }) => type === 'plan.changed',
  });
  const { mine, others } = inboxOf(store.rows);
  return (
    <Page title="Approvals" below={<p>Plans that wait for a decision, those for you first.</p>}>
      {!store.isRead && store.problem === null ? <Skeleton lines={6} /> : null}
      {store.problem === null ? null : (
        <ErrorState tried="Reading the plans" problem={store.problem} onRetry={() => store.restart()} />
      )}
      <div class="noticed">
        <OrderNotice store={store} />
        {store.isRead && mine.length + others.length === 0 ? (
          <EmptyState title="No plan waits for approval">
            A plan appears here when a check of an account in mode "propose" finds changes, or when a plan
            exceeds the limits of its account.
          </EmptyState>
        ) : null}
        {mine.length === 0 ? null : (
          <Section title="For you" count={figure(mine.length)}>
            <Table label="For you" rows={mine} keyOf={keyOf} columns={columns} class="inbox" />
          </Section>
        )}
        {others.length === 0 ? null : (
          <Section title="For others" count={figure(others.length)}>
            <Table label="For others" rows={others} keyOf={keyOf} columns={columns} class="inbox" />
          </Section>
        )}
        <ShowMore of={store} />
      </div>
    </Page>
  );
}

const columns: readonly Column<PlanRow>[] = [
  planAccountColumn,
  {
    key: 'changes',
    title: 'Changes',
    cell: (plan) => (
      <div>
        <PlanChanges plan={plan} />{' '}
        {plan.required.numbers.length > 0 ? <Tag tone="amber">over the limit</Tag> : null}
        {plan.may_approve.allowed ? null : (
          <p class="reason">{plan.may_approve.reason ?? 'Your roles do not allow approving it.'}</p>
        )}
      </div>
    ),
  },
  {
    key: 'author',
    title: 'Author',
    cell: ({ author }) => <Author author={author} />,
  },
  {
    key: 'approvals',
    title: 'Approvals',
    cell: ({ approvals, required }) =>
      `${figure(approvals.filter(({ decision }) => decision === 'approved').length)} of ${figure(required.approvals)}`,
  },
  { key: 'calls', title: 'Calls', isNumber: true, cell: ({ calls }) => <Count value={calls} /> },
  { key: 'made', title: 'Proposed', cell: ({ created_at: at }) => <Time at={at} /> },
  { key: 'expires', title: 'Expires', cell: ({ expires_at: at }) => <Time at={at} /> },
];
