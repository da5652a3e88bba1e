import type { Cause } from '../../../api/accounts.ts';
import { atLeast, counted } from '../../../output/components/numbers.ts';
import { Table } from '../../../output/components/table.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { usePages } from '../../data/pages.ts';
import { Listed } from '../../parts/listed.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { causeColumns, keyOfCause } from '../overview/cause-columns.tsx';

const columns = causeColumns();

/** Every cause over all accounts: failures first, then the causes with the most accounts. */
export function AllCauses() {
  const store = usePages<Cause>('/causes', {
    keyOf: keyOfCause,
    limit: 50,
    when: ({ type }) => type === 'account.changed',
  });
  return (
    <Page
      title="Causes"
      above={<a href={consoleAddress.overview()}>Overview</a>}
      below={
        <span role="status">
          {store.isRead
            ? store.hasMore
              ? `${atLeast(store.length, true)} causes`
              : counted(store.length, 'cause')
            : ' '}
        </span>
      }
    >
      <Listed
        of={store}
        tried="Reading the causes"
        lines={10}
        empty={
          <EmptyState title="Nothing differs">
            <p>When accounts fail or differ from the desired state, each cause is listed here.</p>
          </EmptyState>
        }
      >
        {(rows) => <Table label="Causes" class="causes" columns={columns} rows={rows} keyOf={keyOfCause} />}
      </Listed>
    </Page>
  );
}
