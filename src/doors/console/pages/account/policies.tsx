import type { AccountDetail } from '../../../api/accounts.ts';
import { EmptyState } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Name, Place } from '../../parts/text.tsx';
import { figure } from '../../words/numbers.ts';

type Policy = AccountDetail['policies'][number];

const columns: readonly Column<Policy>[] = [
  { key: 'title', title: 'Policy', isHead: true, isPlain: true, cell: ({ title }) => <Name name={title} /> },
  { key: 'kind', title: 'Kind', cell: ({ kind }) => kind },
  {
    key: 'place',
    title: 'Where',
    cell: ({ place }) => (place === undefined ? '–' : <Place place={place} />),
  },
  {
    key: 'acted',
    title: 'Concerns now',
    isNumber: true,
    cell: ({ acted }) =>
      acted === 0 ? <span class="dim">no host</span> : acted === 1 ? '1 host' : `${figure(acted)} hosts`,
  },
];

/** The rules and policies in force, each with its line and the hosts that it concerns in the latest plan. */
export function Policies({ policies }: { readonly policies: readonly Policy[] }) {
  if (policies.length === 0)
    return (
      <EmptyState title="No policies">
        <p>
          The desired state of this account defines no policies. The limits and the mode in{' '}
          <code>rampart.config.yaml</code> still apply.
        </p>
      </EmptyState>
    );
  return (
    <Table
      label="Policies"
      columns={columns}
      rows={policies}
      keyOf={({ kind, title, place }) => `${kind} ${title} ${place?.file} ${place?.line}`}
    />
  );
}
