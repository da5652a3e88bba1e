import type { PlanRow } from '../../../api/plans.ts';
import { Choice } from '../../../output/components/field.tsx';
import { figure } from '../../../output/components/numbers.ts';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { Tag } from '../../../output/components/tag.tsx';
import { Count } from '../../../output/components/text.tsx';
import { filtersOf, useAddress } from '../../browser/address.ts';
import { usePages } from '../../data/pages.ts';
import { Button } from '../../parts/button.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Listed } from '../../parts/listed.tsx';
import { Page } from '../../parts/page.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { OrderNotice } from '../../parts/virtual-table.tsx';
import { Author } from '../change/author.tsx';
import { PlanChanges, planAccountColumn } from '../change/plan-columns.tsx';
import { inboxOrder } from './inbox-order.ts';
import '../../../output/components/style/review.css';

const keyOf = ({ id }: PlanRow) => id;
const filterNames = ['q', 'risk', 'state'] as const;

/** The plans that wait for a decision: first those that the reader may decide on. */
export function Approvals() {
  const { get, set } = useAddress();
  const { query, chosen, none } = filtersOf(get, filterNames);
  const isAll = query.state === 'all';
  const store = usePages<PlanRow>('/plans', {
    keyOf,
    query: { ...query, state: isAll ? '' : 'waiting' },
    // The server lists the latest plans first, and the oldest ones should be on top.
    ...(!isAll && { limit: 500 }),
    when: ({ type }) => type === 'plan.changed',
  });
  return (
    <Page
      title="Approvals"
      below={
        isAll
          ? 'Plans in any state, the latest first.'
          : 'Plans that wait for a decision, those for you first.'
      }
    >
      <FilterBar chosen={chosen}>
        <SearchField
          label="Search"
          placeholder="Account, author, commit or pull request"
          value={query.q}
          onSearch={(q) => set({ q })}
        />
        <Choice
          label="State"
          value={query.state}
          options={[
            { value: '', text: 'Waiting' },
            { value: 'all', text: 'All' },
          ]}
          onChange={(state) => set({ state })}
        />
        <Choice
          label="Risk"
          value={query.risk}
          options={[
            { value: '', text: 'Any' },
            { value: 'irreversible', text: "Can't be undone" },
            { value: 'limit', text: 'Over a limit' },
          ]}
          onChange={(value) => set({ risk: value })}
        />
      </FilterBar>
      <div class="noticed">
        <OrderNotice store={store} />
        <Listed
          of={store}
          tried="Reading the plans"
          empty={
            chosen > 0 ? (
              <EmptyState
                title="No plan matches"
                action={<Button onClick={() => set(none)}>Show all plans</Button>}
              />
            ) : (
              <EmptyState title="No plan waits for approval">
                A plan appears here when a check of an account in mode "propose" finds changes, or when a plan
                exceeds the limits of its account.
              </EmptyState>
            )
          }
        >
          {(rows) => (
            <Table
              label="Plans that wait"
              rows={isAll ? rows : inboxOrder(rows)}
              keyOf={keyOf}
              columns={columns}
            />
          )}
        </Listed>
      </div>
    </Page>
  );
}

const columns: readonly TableColumn<PlanRow>[] = [
  planAccountColumn,
  {
    key: 'changes',
    title: 'Changes',
    cell: (plan) => (
      <div>
        <PlanChanges plan={plan} />{' '}
        {plan.required.numbers.length > 0 ? <Tag tone="amber">over the limit</Tag> : null}
        {plan.state === 'waiting' ? null : <Tag>{plan.state}</Tag>}
        {plan.may_approve.allowed || plan.state !== 'waiting' ? null : (
          <p class="reason">{plan.may_approve.reason ?? 'Your roles do not allow approving it.'}</p>
        )}
      </div>
    ),
  },
  { key: 'author', title: 'Author', cell: ({ author }) => <Author author={author} /> },
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
