import type { HostListRow } from '../../../api/hosts.ts';
import type { TableColumn } from '../../../output/components/table.tsx';
import { IdText, Name } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { type Choosing, choiceColumn } from '../../parts/choice-column.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { Time } from '../../parts/time.tsx';
import { differsMark } from '../../words/health.ts';

export function keyOfHost({ account, host_id: id }: HostListRow): string {
  return `${account} ${id}`;
}

/** The columns of the list of hosts. Without `choosing`, rows can't be chosen. */
export function searchColumns(choosing: Choosing | null): readonly TableColumn<HostListRow>[] {
  return [
    ...(choosing === null
      ? []
      : [choiceColumn<HostListRow>(choosing, { keyOf: keyOfHost, nameOf: ({ name }) => name })]),
    {
      key: 'name',
      title: 'Name',
      isHead: true,
      cell: (row) => (
        <a class="row-link" href={consoleAddress.host(row.account, row.host_id)}>
          <Name name={row.name} />
        </a>
      ),
    },
    { key: 'id', title: 'Id', cell: (row) => <IdText id={row.host_id} /> },
    {
      key: 'account',
      title: 'Account',
      cell: (row) => (
        <a href={consoleAddress.account(row.account)}>
          <Name name={row.account} />
        </a>
      ),
    },
    {
      key: 'group',
      title: 'Group',
      cell: ({ group }) => (group === null ? <span class="dim">no group</span> : <Name name={group} />),
    },
    { key: 'state', title: 'State', cell: ({ state }) => state ?? <span class="dim">–</span> },
    {
      key: 'drifted',
      title: 'Difference',
      cell: ({ drifted }) => (drifted ? <StateMark mark={differsMark} isQuiet /> : null),
    },
    { key: 'seen', title: 'Read', cell: (row) => <Time at={row.seen_at} /> },
  ];
}
