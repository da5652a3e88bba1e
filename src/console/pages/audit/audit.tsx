import type { AuditRow } from '../../../api/settings.ts';
import { Field } from '../../../output/components/field.tsx';
import { figure } from '../../../output/components/numbers.ts';
import { type Column, Table } from '../../../output/components/table.tsx';
import { Name } from '../../../output/components/text.tsx';
import { pageOf, useAddress } from '../../browser/address.ts';
import { isPrinting } from '../../browser/printing.ts';
import { mayDoToServer } from '../../data/may.ts';
import { usePages } from '../../data/pages.ts';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';
import '../../../output/components/style/review.css';
import './audit.css';
import { auditKinds, auditQueryOf, filterNames, kindText } from './audit-filter.ts';
import { ExportAudit } from './export-button.tsx';
import { RecordDetails } from './record-details.tsx';
import { useVerification } from './verify-audit.tsx';

const keyOf = ({ seq }: AuditRow) => String(seq);

/** Everything that was done on purpose: filter, export, verify. */
export function Audit() {
  const { get, set } = useAddress();
  const query = auditQueryOf(get);
  const store = usePages<AuditRow>('/audit', { keyOf, query });
  const verification = useVerification(mayDoToServer('read-audit'));
  const isFiltered = filterNames.some((name) => get(name) !== '');
  return (
    <Page
      title="Audit"
      class="audit-page"
      below={
        <p>
          Who did what, when and why. Each record contains the hash of the one before it, so that a change
          shows.
        </p>
      }
      actions={
        <>
          {verification.button}
          <ExportAudit query={query} />
        </>
      }
    >
      {verification.result}
      <div class="filters" role="search">
        <Field label="Search" type="search" value={get('q')} onInput={(value) => set({ q: value })} />
        <Field label="Account" value={get('account')} onInput={(value) => set({ account: value })} />
        <Field
          label="Person"
          value={get('by')}
          onInput={(value) => set({ by: value })}
          suggestions={[...new Set(store.rows.map(({ by }) => by))]}
        />
        <Field
          label="Kind"
          value={get('kind')}
          onInput={(value) => set({ kind: value })}
          suggestions={auditKinds}
        />
        <Field
          label="From"
          type="datetime-local"
          value={get('from')}
          onInput={(value) => set({ from: value })}
        />
        <Field label="To" type="datetime-local" value={get('to')} onInput={(value) => set({ to: value })} />
        {isFiltered ? (
          <Button
            kind="quiet"
            onClick={() => set(Object.fromEntries(filterNames.map((name) => [name, null])))}
          >
            Clear
          </Button>
        ) : null}
      </div>
      <div class="list-tools">
        <p class="dim" role="status">
          {store.total === null ? '' : `${figure(store.total)} records`}
        </p>
        <SavedViews page="audit" />
      </div>
      {isPrinting.value ? (
        <>
          <p>
            {figure(store.rows.length)} of {figure(store.total ?? store.rows.length)} records. An export has
            all of them.
          </p>
          <Table label="Audit records" rows={store.rows} keyOf={keyOf} columns={columns} />
        </>
      ) : (
        <VirtualTable
          label="Audit records"
          class="audit-grid"
          columns={columns}
          store={store}
          keyOf={keyOf}
          tried="Reading the audit log"
          empty={
            isFiltered ? (
              <EmptyState title="No record matches" />
            ) : (
              <EmptyState title="No records yet">
                Each approval, run, pause and rollout adds a record here.
              </EmptyState>
            )
          }
        />
      )}
    </Page>
  );
}

const columns: readonly Column<AuditRow>[] = [
  { key: 'seq', title: 'No.', isNumber: true, cell: ({ seq }) => <span class="seq">{seq}</span> },
  { key: 'at', title: 'Time', cell: ({ at }) => <Time at={at} /> },
  { key: 'kind', title: 'Kind', cell: ({ kind }) => kindText(kind) },
  {
    key: 'account',
    title: 'Account',
    cell: ({ account }) =>
      account === null ? (
        <span class="dim">–</span>
      ) : (
        <a href={pageOf.account(account)}>
          <Name name={account} />
        </a>
      ),
  },
  { key: 'by', title: 'Person', cell: ({ by }) => <Name name={by} /> },
  {
    key: 'text',
    title: 'Outcome and reason',
    isHead: true,
    isPlain: true,
    cell: (row) => <RecordDetails row={row} />,
  },
];
