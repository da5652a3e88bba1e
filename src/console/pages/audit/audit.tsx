import type { AuditChoices, AuditRow } from '../../../api/settings.ts';
import { Choice, TextField } from '../../../output/components/field.tsx';
import { counted, figure } from '../../../output/components/numbers.ts';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { Name, NameLink } from '../../../output/components/text.tsx';
import { consoleAddress, filtersOf, useAddress } from '../../browser/address.ts';
import { isPrinting } from '../../browser/printing.ts';
import { addressOf } from '../../data/api.ts';
import { mayDoToServer } from '../../data/may.ts';
import { usePages } from '../../data/pages.ts';
import { useResource } from '../../data/resource.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Page } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { VirtualTable } from '../../parts/virtual-table.tsx';
import { auditQueryOf, filterNames, kindText } from './audit-filter.ts';
import { useVerification } from './verify-audit.tsx';
import '../../../output/components/style/review.css';
import './audit.css';

const keyOf = ({ seq }: AuditRow) => String(seq);

/** Everything that was done on purpose: filter, export, verify. */
export function Audit() {
  const { get, set } = useAddress();
  const query = auditQueryOf(get);
  const store = usePages<AuditRow>('/audit', { keyOf, query });
  const verification = useVerification(mayDoToServer('read-audit'));
  const choice = useResource<AuditChoices>('/audit/choices');
  const { chosen, none } = filtersOf(get, filterNames);
  return (
    <Page
      title="Audit"
      class="audit-page"
      below={
        <p>
          Who did what, when and why. Each record contains the hash of the one before it, which reveals
          changes to records.
        </p>
      }
      actions={
        <>
          {verification.button}
          <ButtonLink
            href={addressOf('/audit/export', { ...query, format: 'jsonl' })}
            download="rampart-audit.jsonl"
          >
            Export JSON lines
          </ButtonLink>
          <ButtonLink
            href={addressOf('/audit/export', { ...query, format: 'csv' })}
            download="rampart-audit.csv"
          >
            Export CSV
          </ButtonLink>
        </>
      }
    >
      {verification.result}
      <FilterBar chosen={chosen}>
        <TextField label="Search" type="search" value={get('q')} onInput={(value) => set({ q: value })} />
        <TextField label="Account" value={get('account')} onInput={(value) => set({ account: value })} />
        <Choice
          label="Person"
          value={get('by')}
          options={choices(choice.value?.people, get('by'), 'Everyone', (person) => person)}
          onChange={(value) => set({ by: value })}
        />
        <Choice
          label="Kind"
          value={get('kind')}
          options={choices(choice.value?.kinds, get('kind'), 'Any', kindText)}
          onChange={(value) => set({ kind: value })}
        />
        <div class="filters">
          <TextField
            label="From"
            type="datetime-local"
            value={get('from')}
            onInput={(value) => set({ from: value })}
          />
          <TextField
            label="To"
            type="datetime-local"
            value={get('to')}
            onInput={(value) => set({ to: value })}
          />
        </div>
        {chosen > 0 ? (
          <Button kind="quiet" onClick={() => set(none)}>
            Clear
          </Button>
        ) : null}
      </FilterBar>
      <p class="dim" role="status">
        {store.total === null ? '' : counted(store.total, 'record')}
      </p>
      {isPrinting.value ? (
        <>
          <p>
            {figure(store.rows.length)} of {counted(store.total ?? store.rows.length, 'record')}. An export
            contains all of them.
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
            chosen > 0 ? (
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

/** The values of a filter, and the selected one, which may be missing from the latest records. */
function choices(
  values: readonly string[] = [],
  chosen: string,
  all: string,
  textOf: (value: string) => string,
) {
  const shown = [...new Set([...values, chosen])].filter((value) => value !== '');
  return [{ value: '', text: all }, ...shown.map((value) => ({ value, text: textOf(value) }))];
}

const columns: readonly TableColumn<AuditRow>[] = [
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
        <NameLink href={consoleAddress.account(account)} name={account} />
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

/** The result of a recorded action and its reason. Unfolded, it shows everything that was recorded. */
function RecordDetails({ row }: { readonly row: AuditRow }) {
  return (
    <details class="record">
      <summary>{row.text === '' ? <span class="dim">all facts</span> : row.text}</summary>
      <dl>
        {Object.entries({ ...row.what, 'SHA-256': row.hash }).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {name === 'plan' && typeof value === 'string' ? (
                <a href={consoleAddress.change(value)}>{value}</a>
              ) : (
                <code class="id">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
