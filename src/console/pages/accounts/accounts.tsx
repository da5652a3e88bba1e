import { useMemo, useState } from 'preact/hooks';
import type { AccountRow } from '../../../api/accounts.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { filtersOf, useAddress } from '../../browser/address.ts';
import { maySomewhere } from '../../data/may.ts';
import { useOverview } from '../../data/overview.ts';
import { usePages } from '../../data/pages.ts';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';
import { accountFilterNames } from '../../words/filters.ts';
import { accountColumns } from './account-columns.tsx';
import { AccountFilters } from './account-filters.tsx';
import { BulkBar } from './bulk-bar.tsx';
import './accounts.css';

const keyOf = ({ name }: AccountRow) => name;

/** All accounts, worst first, with what can be done to several of them. */
export function AccountsPage() {
  const address = useAddress();
  const { query, chosen: filters, none } = filtersOf(address.get, accountFilterNames);
  const isFiltered = filters > 0;
  const store = usePages<AccountRow>('/accounts', {
    query,
    keyOf,
    when: ({ type }) => type === 'account.changed',
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayAct = maySomewhere('check') || maySomewhere('plan') || maySomewhere('pause');
  const columns = useMemo(
    () =>
      accountColumns(
        address,
        mayAct ? { chosen, onChange: setChosen, all: () => store.rows.map(keyOf) } : null,
      ),
    [address, chosen, mayAct, store, store.length],
  );
  const all = useOverview().value?.accounts ?? null;
  const shown = store.total ?? (isFiltered ? null : all);
  const found =
    shown === null
      ? null
      : isFiltered && all !== null
        ? `${counted(shown, 'account')} of ${figure(all)}`
        : counted(shown, 'account');
  return (
    <Page title="Accounts" below={<span role="status">{found ?? ' '}</span>}>
      <AccountFilters problem={store.problem} />
      {store.problem?.status === 422 ? (
        <EmptyState title="The filter is not complete">
          <p>The list appears when the expression in the field "Labels" is valid.</p>
        </EmptyState>
      ) : (
        <VirtualTable
          label="Accounts"
          class={mayAct ? 'accounts choosable' : 'accounts'}
          tried="Reading the accounts"
          columns={columns}
          store={store}
          keyOf={keyOf}
          isChosen={({ name }) => chosen.has(name)}
          empty={
            isFiltered ? (
              <EmptyState
                title="No account matches"
                action={<Button onClick={() => address.set(none, 'push')}>Show all accounts</Button>}
              >
                <p>Change the search or the filters.</p>
              </EmptyState>
            ) : (
              <EmptyState title="No accounts">
                Accounts are listed under <code>accounts</code> in <code>rampart.config.yaml</code>. You see
                those that your roles include.
              </EmptyState>
            )
          }
        />
      )}
      <BulkBar chosen={chosen} onDone={() => setChosen(new Set())} />
    </Page>
  );
}
