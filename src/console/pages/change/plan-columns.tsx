import type { PlanRow } from '../../../api/plans.ts';
import { figure } from '../../../output/components/numbers.ts';
import type { TableColumn } from '../../../output/components/table.tsx';
import { Tag } from '../../../output/components/tag.tsx';
import { NameLink } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { changesText } from '../../words/changes.ts';

/** The account of a plan, as a link to its change. */
export const planAccountColumn: TableColumn<PlanRow> = {
  key: 'account',
  title: 'Account',
  isHead: true,
  isPlain: true,
  cell: (plan) => <NameLink href={consoleAddress.change(plan.id)} name={plan.account} />,
};

/** What a plan changes, and how much of it can't be undone. */
export function PlanChanges({ plan: { counts, irreversible } }: { readonly plan: PlanRow }) {
  return (
    <span>
      {changesText(counts)}{' '}
      {irreversible > 0 ? <Tag tone="red">{`${figure(irreversible)} can't be undone`}</Tag> : null}
    </span>
  );
}
