import type { PlanDetail } from '../../../api/plans.ts';
import { Table } from '../../parts/table.tsx';
import { Count, Name } from '../../parts/text.tsx';
import { figure } from '../../words/numbers.ts';

type GroupChange = PlanDetail['groups'][number];

/** Each group that changes: its size before and after, as numbers and as a bar. */
export function GroupChanges({ groups }: { readonly groups: readonly GroupChange[] }) {
  const largest = Math.max(1, ...groups.flatMap(({ before, after }) => [before, after]));
  return (
    <Table
      label="Groups before and after"
      class="group-changes"
      rows={groups}
      keyOf={({ name }) => name}
      columns={[
        {
          key: 'name',
          title: 'Group',
          isHead: true,
          isPlain: true,
          cell: ({ name }) => <Name name={name} />,
        },
        { key: 'before', title: 'Before', isNumber: true, cell: ({ before }) => <Count value={before} /> },
        { key: 'after', title: 'After', isNumber: true, cell: ({ after }) => <Count value={after} /> },
        {
          key: 'change',
          title: 'Arrive, leave',
          cell: ({ arrive, leave }) => (
            <>
              {arrive === 0 ? null : <span class="arrive">+{figure(arrive)}</span>}{' '}
              {leave === 0 ? null : <span class="leave">−{figure(leave)}</span>}
            </>
          ),
        },
        {
          key: 'bar',
          title: 'Size',
          isTitleHidden: true,
          cell: (group) => <SizeBar group={group} largest={largest} />,
        },
      ]}
    />
  );
}

/** The size after the plan over the size before it. The numbers in the row say the same. */
function SizeBar({ group, largest }: { readonly group: GroupChange; readonly largest: number }) {
  const share = (size: number) => `${(100 * size) / largest}%`;
  const kept = Math.min(group.before, group.after);
  const gone = Math.max(0, group.before - group.after);
  const added = Math.max(0, group.after - group.before);
  return (
    <span class="size-bar" aria-hidden="true">
      {kept === 0 ? null : <span class="size-kept" style={{ width: share(kept) }} />}
      {gone === 0 ? null : <span class="size-gone" style={{ width: share(gone) }} />}
      {added === 0 ? null : <span class="size-added" style={{ width: share(added) }} />}
    </span>
  );
}
