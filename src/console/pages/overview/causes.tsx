import { useMemo } from 'preact/hooks';
import type { Overview } from '../../../api/overview.ts';
import { figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { Tag } from '../../../output/components/tag.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { useStable } from '../../data/stable.ts';
import { Newest } from '../../parts/newest.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { causeColumns, keyOfCause } from './cause-columns.tsx';

const most = 8;

/** What is behind the differences of all accounts: one row for each cause. */
export function CauseList({ causes, more: { causes: hasMore } }: Pick<Overview, 'causes' | 'more'>) {
  const list = useStable(causes, ({ id }) => id);
  const gone = new Set(list.rows.flatMap(({ item, isGone }) => (isGone ? [item.id] : [])));
  const columns = useMemo(
    () =>
      causeColumns(({ id }) =>
        !gone.has(id) ? null : hasMore ? (
          <Tag>no longer among the first</Tag>
        ) : (
          <Tag tone="green">resolved</Tag>
        ),
      ),
    [hasMore, [...gone].join(' ')],
  );
  const rows = list.rows.slice(0, most).map(({ item }) => item);
  return (
    <Section title="Causes" actions={<Newest list={list} />}>
      {list.rows.length === 0 ? (
        <EmptyState title="Nothing differs">
          When accounts fail or differ from the desired state, this list groups them by cause: a rule, a line
          of a file, changes by hand, or a service that does not respond.
        </EmptyState>
      ) : (
        <>
          <Table label="Causes" class="causes" columns={columns} rows={rows} keyOf={keyOfCause} />
          {rows.length === list.rows.length && !hasMore ? null : (
            <p class="dim">
              These are the first {figure(rows.length)}. <a href={consoleAddress.causes()}>Show all causes</a>
            </p>
          )}
        </>
      )}
    </Section>
  );
}
