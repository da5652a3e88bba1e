import type { PlanReview } from '../review/plan-review.ts';
import { figure } from './numbers.ts';
import { Section } from './section.tsx';
import { Table } from './table.tsx';
import { Count, Name } from './text.tsx';

type GroupChange = PlanReview['groups'][number];

/** Each group that changes: its size before and after, as numbers and as a bar. */
export function GroupChanges({ groups }: Pick<PlanReview, 'groups'>) {
  if (groups.length === 0) return null;
  const largest = groups.reduce((most, { before, after }) => Math.max(most, before, after), 1);
  return (
    <Section id="groups" title="Groups before and after" count={figure(groups.length)}>
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
    </Section>
  );
}

/** The size after the plan over the size before it. The numbers in the row say the same. */
function SizeBar({ group, largest }: { readonly group: GroupChange; readonly largest: number }) {
  const { before, after } = group;
  const share = (size: number) => `${(100 * size) / largest}%`;
  const kept = Math.min(before, after);
  // Attributes of a drawing, because the policy of the report refuses inline styles.
  const bar = (name: string, from: number, to: number) =>
    to === from ? null : <rect class={name} x={share(from)} width={share(to - from)} height="8" rx="3" />;
  return (
    <svg class="size-bar" height="8" aria-hidden="true" focusable="false">
      {bar('size-kept', 0, kept)}
      {bar('size-gone', kept, before)}
      {bar('size-added', kept, after)}
    </svg>
  );
}
