import { useMemo, useState } from 'preact/hooks';
import type { HostListRow } from '../../../api/hosts.ts';
import { counted } from '../../../output/components/numbers.ts';
import { type Changes, useAddress } from '../../browser/address.ts';
import { maySomewhere } from '../../data/may.ts';
import { usePages } from '../../data/pages.ts';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { keyOfHost, searchColumns } from './host-columns.tsx';
import { HostFilters } from './host-facets.tsx';
import './hosts.css';

const shortest = 2;
const filterNames = ['q', 'account', 'where', 'group', 'state', 'drifted'] as const;
const noFilter: Changes = Object.fromEntries(filterNames.map((name) => [name, null]));

/** Search over the hosts of all accounts. */
export function HostsPage() {
  const address = useAddress();
  const typed = address.get('q');
  const isShort = typed.length > 0 && typed.length < shortest;
  const query = {
    ...Object.fromEntries(filterNames.map((name) => [name, address.get(name)])),
    q: isShort ? '' : typed,
  };
  const isFiltered = Object.values(query).some((each) => each !== '');
  const store = usePages<HostListRow>('/hosts', {
    query,
    keyOf: keyOfHost,
    when: ({ type }) => type === 'account.changed',
  });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayPropose = maySomewhere('plan');
  const columns = useMemo(
    () =>
      searchColumns(
        mayPropose ? { chosen, onChange: setChosen, all: () => store.rows.map(keyOfHost) } : null,
      ),
    [chosen, mayPropose, store, store.length],
  );
  return (
    <Page
      title="Hosts"
      below={<span role="status">{store.total === null ? ' ' : counted(store.total, 'host')}</span>}
    >
      <SearchField
        label="Search hosts"
        isLabelHidden
        placeholder="Part of a name, or a whole id"
        value={typed}
        hint={isShort ? 'Type at least two characters.' : undefined}
        onSearch={(q) => address.set({ q })}
      />
      <div class="hosts-columns">
        <HostFilters query={query} />
        <VirtualTable
          label="Hosts"
          class={mayPropose ? 'hosts choosable' : 'hosts'}
          tried="Searching the hosts"
          columns={columns}
          store={store}
          keyOf={keyOfHost}
          isChosen={(row) => chosen.has(keyOfHost(row))}
          empty={
            isFiltered ? (
              <EmptyState
                title="No host matches"
                action={<Button onClick={() => address.set(noFilter, 'push')}>Show all hosts</Button>}
              >
                <p>Search for part of a name or a whole id, or remove a filter.</p>
              </EmptyState>
            ) : (
              <EmptyState title="No hosts">
                <p>After the first check of an account, its hosts are listed here.</p>
              </EmptyState>
            )
          }
        />
      </div>
      <ChosenBar chosen={chosen} search={query} found={store.total} onClear={() => setChosen(new Set())} />
    </Page>
  );
}
