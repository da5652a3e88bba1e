import type { AccountDetail } from '../../../api/accounts.ts';
import { counted } from '../../../output/components/numbers.ts';
import { Table, type TableColumn } from '../../../output/components/table.tsx';
import { PlaceText, Text } from '../../../output/components/text.tsx';
import { EmptyState } from '../../parts/states.tsx';

type Policy = AccountDetail['policies'][number];

const columns: readonly TableColumn<Policy>[] = [
  { key: 'title', title: 'Policy', isHead: true, isPlain: true, cell: ({ title }) => <Text text={title} /> },
  { key: 'kind', title: 'Kind', cell: ({ kind }) => kind },
  {
    key: 'place',
    title: 'Where',
    cell: ({ kind, place }) =>
      place !== undefined ? (
        <PlaceText place={place} />
      ) : kind === 'limit' ? (
        <span class="dim">built in</span>
      ) : (
        '–'
      ),
  },
  {
    key: 'acted',
    title: 'Applies to',
    isNumber: true,
    cell: ({ kind, acted }) =>
      acted === 0 ? (
        <span class="dim">{kind === 'limit' ? 'not exceeded' : 'no host'}</span>
      ) : (
        `${counted(acted, 'host')}${kind === 'limit' ? ', over the limit' : ''}`
      ),
  },
];

/** The rules, policies and limits in force, each with its line and the hosts that it concerns in the latest plan. */
export function Policies({ policies }: { readonly policies: readonly Policy[] }) {
  if (policies.length === 0)
    return (
      <EmptyState title="No policies">
        No check has read the desired state of this account yet, or it defines no rules, policies or limits.
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
