import type { ReviewHost } from '../../../api/plans.ts';
import { pageOf } from '../../browser/address.ts';
import { Tag } from '../../parts/mark.tsx';
import type { Column } from '../../parts/table.tsx';
import { Id, Name, Place, Time } from '../../parts/text.tsx';
import { placeText } from '../../words/places.ts';
import { actionText, changeWords } from './change-words.ts';

/** One row for each host, with everything that the plan does to it. */
export function hostColumns(account: string): readonly Column<ReviewHost>[] {
  return [
    {
      key: 'host',
      title: 'Host',
      isHead: true,
      isPlain: true,
      cell: ({ name, host_id: id }) => (
        <div>
          <a href={pageOf.host(account, id)}>
            <Name name={name} />
          </a>{' '}
          <Id id={id} />
        </div>
      ),
    },
    { key: 'change', title: 'Change', cell: (host) => <Change host={host} /> },
    { key: 'group', title: 'Group', cell: (host) => <Group host={host} /> },
    { key: 'state', title: 'State', cell: (host) => <State host={host} /> },
    {
      key: 'reason',
      title: 'Reason',
      cell: ({ reason, place }) => (
        <div>
          {reason === null ? <span class="dim">–</span> : reason}{' '}
          {place !== null && reason?.includes(placeText(place)) ? null : <Place place={place} />}
        </div>
      ),
    },
  ];
}

function Change({ host }: { readonly host: ReviewHost }) {
  const isIrreversible = host.action.some((kind) => changeWords[kind].isIrreversible);
  return (
    <div>
      <span class="change-verbs">
        {isIrreversible ? <Tag tone="red">{actionText(host)}</Tag> : actionText(host)}
      </span>
      {host.new_name === null ? null : (
        <span class="change-to">
          <span aria-hidden="true">→ </span>
          <span class="unseen">to </span>
          <Name name={host.new_name} />
        </span>
      )}
    </div>
  );
}

function Group({ host: { group, new_group: next } }: { readonly host: ReviewHost }) {
  return (
    <div>
      {group === null ? <span class="dim">no group</span> : <Name name={group} />}
      {next === null ? null : (
        <span class="change-to">
          <span aria-hidden="true">→ </span>
          <span class="unseen">to </span>
          <Name name={next} />
        </span>
      )}
    </div>
  );
}

function State({ host: { online, last_seen: seen } }: { readonly host: ReviewHost }) {
  return (
    <div>
      {online === null ? (
        <span class="dim">unknown</span>
      ) : online === 'online' ? (
        <Tag tone="amber">online</Tag>
      ) : (
        online
      )}
      {seen === null ? null : (
        <span class="dim last-seen">
          {' '}
          seen <Time at={seen} />
        </span>
      )}
    </div>
  );
}
