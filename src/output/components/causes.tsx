import type { PlanReview } from '../review/plan-review.ts';
import { groupedCauses } from './grouped-causes.ts';
import { capitalized, figure } from './numbers.ts';
import { withoutPlace } from './places.ts';
import { Section } from './section.tsx';
import { Table } from './table.tsx';
import { Count, PlaceText, Text } from './text.tsx';

/** The rules and lines that request the changes. */
export function PlanCauses({ causes }: Pick<PlanReview, 'causes'>) {
  if (causes.length === 0) return null;
  const grouped = groupedCauses(causes);
  return (
    <Section id="causes" title="Causes" count={figure(grouped.length)}>
      <Table
        label="Causes"
        rows={grouped}
        keyOf={({ title, place }) => `${title} ${place?.file} ${place?.line}`}
        columns={[
          {
            key: 'title',
            title: 'Cause',
            isHead: true,
            isPlain: true,
            cell: ({ title, place }) => <Text text={capitalized(withoutPlace(title, place))} />,
          },
          { key: 'place', title: 'Where', cell: ({ place }) => <PlaceText place={place} /> },
          { key: 'hosts', title: 'Hosts', isNumber: true, cell: ({ hosts }) => <Count value={hosts} /> },
        ]}
      />
    </Section>
  );
}
