import type { Cause } from '../../../api/accounts.ts';
import { atLeast, counted } from '../../../output/components/numbers.ts';
import { Table } from '../../../output/components/table.tsx';
import { pageOf } from '../../browser/address.ts';
import { usePages } from '../../data/pages.ts';
import { Page } from '../../parts/page.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
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
      above={<a href={pageOf.overview()}>Overview</a>}
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
      {!store.isRead ? (
        store.problem === null ? (
          <Skeleton lines={10} />
        ) : (
          <ErrorState problem={store.problem} tried="Reading the causes" onRetry={() => store.restart()} />
        )
      ) : store.length === 0 ? (
        <EmptyState title="Nothing differs">
          <p>When accounts fail or differ from the desired state, each cause is listed here.</p>
        </EmptyState>
      ) : (
        <>
          <Table label="Causes" class="causes" columns={columns} rows={store.rows} keyOf={keyOfCause} />
          <ShowMore of={store} />
        </>
      )}
    </Page>
  );
}
