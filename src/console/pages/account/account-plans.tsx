import type { AccountDetail } from '../../../api/accounts.ts';
import type { PlanRow } from '../../../api/plans.ts';
import { figure } from '../../../output/components/numbers.ts';
import { type Column, Table } from '../../../output/components/table.tsx';
import { Name } from '../../../output/components/text.tsx';
import { pageOf } from '../../browser/address.ts';
import { usePages } from '../../data/pages.ts';
import { StateMark } from '../../parts/mark.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { changesText } from '../../words/changes.ts';
import { planMarks } from '../../words/state-marks.ts';

const keyOf = ({ id }: PlanRow) => id;

const columns: readonly Column<PlanRow>[] = [
  {
    key: 'changes',
    title: 'Changes',
    isHead: true,
    isPlain: true,
    cell: (plan) => (
      <a class="row-link" href={pageOf.change(plan.id)}>
        {changesText(plan.counts)}
      </a>
    ),
  },
  { key: 'state', title: 'State', cell: ({ state }) => <StateMark mark={planMarks[state]} isQuiet /> },
  {
    key: 'irreversible',
    title: "Can't be undone",
    isNumber: true,
    cell: ({ irreversible }) => figure(irreversible),
  },
  { key: 'author', title: 'Author', cell: ({ author }) => (author === null ? '–' : <Name name={author} />) },
  { key: 'created', title: 'Proposed', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The plans of an account, the newest first. */
export function AccountPlans({ account }: { readonly account: AccountDetail }) {
  const store = usePages<PlanRow>('/plans', {
    query: { account: account.name },
    keyOf,
    limit: 25,
    when: (event) => event.account === account.name && event.type === 'plan.changed',
  });
  if (!store.isRead)
    return store.problem === null ? (
      <Skeleton lines={4} />
    ) : (
      <ErrorState problem={store.problem} tried="Reading the plans" onRetry={() => store.restart()} />
    );
  if (store.length === 0)
    return (
      <EmptyState title="No plans yet">
        <p>
          {account.mode === 'observe'
            ? 'The mode of this account is "observe", so the server makes no plans by itself. "Plan" makes one now.'
            : 'The server makes a plan when the fleet differs from the desired state. It then waits here for approval.'}
        </p>
      </EmptyState>
    );
  return <Table label="Plans" columns={columns} rows={store.rows} keyOf={keyOf} />;
}
