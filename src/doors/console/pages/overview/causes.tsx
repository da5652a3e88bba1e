import { useMemo, useState } from 'preact/hooks';
import type { Cause } from '../../../api/accounts.ts';
import { pageOf } from '../../browser/address.ts';
import { useStable } from '../../data/stable.ts';
import { Button } from '../../parts/button.tsx';
import { CauseBy } from '../../parts/cause-by.tsx';
import { StateMark, Tag } from '../../parts/mark.tsx';
import { Newest } from '../../parts/newest.tsx';
import { Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Count, Name, Place, Text, Time } from '../../parts/text.tsx';
import { causeMark, causeTitle } from '../../words/cause.ts';
import { figure } from '../../words/numbers.ts';
import { placeText } from '../../words/places.ts';

interface Row {
  readonly item: Cause;
  readonly isGone: boolean;
}

const columnsOf = (hasMore: boolean): readonly Column<Row>[] => [
  {
    key: 'cause',
    title: 'Cause',
    isHead: true,
    isPlain: true,
    cell: ({ item, isGone }) => (
      <>
        <a class="cause-title" href={pageOf.accounts({ cause: item.id })}>
          <Text text={causeTitle(item.title)} />
        </a>
        <span class="cause-note">
          <StateMark mark={causeMark(item.kind)} isQuiet />
          {item.place === undefined || placeText(item.place) === item.title ? null : (
            <Place place={item.place} />
          )}
          {item.rule === undefined || item.title.includes(item.rule) ? null : (
            <span>
              rule <Name name={item.rule} />
            </span>
          )}
          <CauseBy cause={item} />
          {isGone ? hasMore ? <Tag>no longer among the first</Tag> : <Tag tone="green">resolved</Tag> : null}
        </span>
      </>
    ),
  },
  { key: 'accounts', title: 'Accounts', isNumber: true, cell: ({ item }) => <Count value={item.accounts} /> },
  {
    key: 'hosts',
    title: 'Hosts',
    isNumber: true,
    cell: ({ item }) => <Count value={item.kind === 'failure' && item.hosts === 0 ? null : item.hosts} />,
  },
  { key: 'since', title: 'Since', cell: ({ item }) => <Time at={item.since} /> },
];

const most = 8;

/** What is behind the differences of all accounts: one row for each cause. */
export function Causes({
  causes,
  hasMore,
}: {
  readonly causes: readonly Cause[];
  readonly hasMore: boolean;
}) {
  const list = useStable(causes, ({ id }) => id);
  const columns = useMemo(() => columnsOf(hasMore), [hasMore]);
  const [isLong, setLong] = useState(false);
  const rows = isLong ? list.rows : list.rows.slice(0, most);
  return (
    <Section title="Causes" actions={<Newest list={list} />}>
      {list.rows.length === 0 ? (
        <EmptyState title="Nothing differs">
          <p>
            When accounts fail or differ from the desired state, this list groups them by what is behind it: a
            rule, a line of a file, changes by hand, or a service that does not answer.
          </p>
        </EmptyState>
      ) : (
        <>
          <Table label="Causes" class="causes" columns={columns} rows={rows} keyOf={({ item }) => item.id} />
          {rows.length === list.rows.length ? null : (
            <div class="actions">
              <Button onClick={() => setLong(true)}>Show {figure(list.rows.length)} causes</Button>
            </div>
          )}
          {hasMore ? (
            <p class="dim">The list has the {figure(causes.length)} causes with the most accounts.</p>
          ) : null}
        </>
      )}
    </Section>
  );
}
