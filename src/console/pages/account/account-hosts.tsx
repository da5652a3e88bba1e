import type { HostRow } from '../../../api/hosts.ts';
import { useAddress } from '../../browser/address.ts';
import { pathOf } from '../../data/api.ts';
import { usePages } from '../../data/pages.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';
import { hostColumns, keyOfHost } from '../hosts/host-columns.tsx';
import '../hosts/hosts.css';

const columns = hostColumns({ withAccount: false });

/** The hosts of one account. */
export function AccountHosts({ account }: { readonly account: string }) {
  const address = useAddress();
  const q = address.get('q');
  const store = usePages<HostRow>(pathOf`/accounts/${account}/hosts`, {
    query: { q },
    keyOf: keyOfHost,
    when: (event) => event.account === account && event.type === 'account.changed',
  });
  return (
    <div class="account-hosts">
      <SearchField
        label="Search hosts"
        isLabelHidden
        placeholder="Search names and ids"
        value={q}
        onSearch={(next) => address.set({ q: next })}
      />
      <VirtualTable
        label="Hosts"
        class="hosts of-account"
        tried="Reading the hosts"
        columns={columns}
        store={store}
        keyOf={keyOfHost}
        empty={
          <EmptyState title={q === '' ? 'No hosts' : 'No host matches'}>
            <p>
              {q === ''
                ? 'The last check found no hosts in this account, or no check has run yet.'
                : 'Search for part of a name, or for a whole id.'}
            </p>
          </EmptyState>
        }
      />
    </div>
  );
}
