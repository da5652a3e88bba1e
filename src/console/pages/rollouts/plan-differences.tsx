import type { PlansComparison } from '../../../api/compared-plans.ts';
import { counted } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { Table } from '../../../output/components/table.tsx';
import { Text } from '../../../output/components/text.tsx';
import { ChosenNames } from '../accounts/chosen-names.tsx';
import { usualText } from './plans-together.ts';

/** What a reviewer of many plans reads first: which accounts differ, in what, and which have no plan. */
export function PlanDifferences({ of }: { readonly of: PlansComparison }) {
  const { unusual, without_plan: unplanned, more } = of;
  const rows = [
    ...unusual,
    ...unplanned.map(({ accounts, text }) => ({ accounts, text: `No plan: ${text}` })),
  ];
  const left = more.unusual + more.without_plan;
  const lead = usualText(of);
  if (rows.length === 0 && lead === undefined) return null;
  return (
    <Section title="Differences between accounts" lead={lead}>
      {rows.length === 0 ? null : (
        <Table
          label="Accounts that differ"
          rows={rows}
          keyOf={({ accounts }) => accounts[0] ?? ''}
          columns={[
            {
              key: 'accounts',
              title: 'Accounts',
              isHead: true,
              cell: ({ accounts }) => <ChosenNames names={accounts} isLinked />,
            },
            { key: 'difference', title: 'Difference', cell: ({ text }) => <Text text={text} /> },
          ]}
        />
      )}
      {left === 0 ? null : <p class="dim">{counted(left, 'more account')} with other differences.</p>}
    </Section>
  );
}
