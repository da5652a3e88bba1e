import type { ComponentChildren } from 'preact';
import { fileAndLine } from '../../core/problem/problem.ts';
import type { ShownHost } from '../review/planned-hosts.ts';
import { isDeletedOnline, isIrreversible } from '../review/reviewed-host.ts';
import { actionText } from './change-words.ts';
import type { TableColumn } from './table.tsx';
import { Tag } from './tag.tsx';
import { IdText, Name, NameLink, PlaceText, Text } from './text.tsx';

/** What the page around a list of hosts knows. */
export interface HostSurroundings {
  /** The page of a host, if there is one. */
  readonly hrefOf?: (hostId: string) => string;
  /** When the state of a host began, in words. */
  readonly sinceOf: (time: string) => ComponentChildren;
  readonly problemOf: (position: number) => { readonly href: string; readonly code: string } | undefined;
}

/** One row for each host, with everything that the plan does to it. */
export function reviewedHostColumns(around: HostSurroundings): readonly TableColumn<ShownHost>[] {
  return [
    {
      key: 'host',
      title: 'Host',
      isHead: true,
      isPlain: true,
      cell: ({ name, host_id: id }) => (
        <div>
          {around.hrefOf === undefined ? (
            <Name name={name} />
          ) : (
            <NameLink href={around.hrefOf(id)} name={name} />
          )}{' '}
          <IdText id={id} />
        </div>
      ),
    },
    { key: 'change', title: 'Change', cell: (host) => <Change host={host} around={around} /> },
    {
      key: 'group',
      title: 'Group',
      cell: ({ group, new_group: next }) => (
        <div>
          <Name name={group} />
          {next === null ? null : <Becomes name={next} />}
        </div>
      ),
    },
    { key: 'state', title: 'State', cell: (host) => <State host={host} around={around} /> },
    {
      key: 'reason',
      title: 'Reason',
      cell: ({ reason, place, cells }) => (
        <div>
          <Text text={reason} />{' '}
          {place !== null && reason.includes(fileAndLine(place)) ? null : <PlaceText place={place} />}
          {cells.map((cell) => (
            <span key={cell} class="place">
              {' '}
              <Text text={cell} />
            </span>
          ))}
        </div>
      ),
    },
  ];
}

interface CellProps {
  readonly host: ShownHost;
  readonly around: HostSurroundings;
}

function Change({ host, around }: CellProps) {
  const { new_name: name, order, remarks, problems } = host;
  return (
    <div>
      <span class="change-verbs">
        {isIrreversible(host) ? <Tag tone="red">{actionText(host)}</Tag> : actionText(host)}
      </span>
      {name === null ? null : <Becomes name={name} />}
      {order === undefined && remarks.length === 0 ? null : (
        <span class="remarks">
          {' '}
          {order === undefined ? null : <span class="dim">{order} </span>}
          {remarks.join('; ')}
        </span>
      )}
      {problems.map((position) => {
        const problem = around.problemOf(position);
        return problem === undefined ? null : (
          <a key={position} class="problem-link" href={problem.href}>
            {problem.code}
          </a>
        );
      })}
    </div>
  );
}

function Becomes({ name }: { readonly name: string }) {
  return (
    <span class="change-to">
      <span aria-hidden="true">→ </span>
      <span class="unseen">to </span>
      <Name name={name} />
    </span>
  );
}

function State({ host, around }: CellProps) {
  const { online, last_seen: since } = host;
  return (
    <div>
      {online === null ? (
        <span class="dim">unknown</span>
      ) : isDeletedOnline(host) ? (
        <Tag tone="amber">online</Tag>
      ) : (
        online
      )}
      {since === null ? null : <span class="dim last-seen"> {around.sinceOf(since)}</span>}
    </div>
  );
}
