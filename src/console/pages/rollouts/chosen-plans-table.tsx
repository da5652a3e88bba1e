import type { PlansComparison } from '../../../api/compared-plans.ts';
import type { PlanRow } from '../../../api/plans.ts';
import { TextField, Tick } from '../../../output/components/field.tsx';
import { figure } from '../../../output/components/numbers.ts';
import { Table } from '../../../output/components/table.tsx';
import { Tag } from '../../../output/components/tag.tsx';
import { choiceColumn, withKey } from '../../parts/choice-column.tsx';
import { approvalState, approversText } from '../../words/approvers.ts';
import { changeNoun } from '../change/change-words.ts';
import { isExact } from '../change/decision.ts';
import { PlanChanges, planAccountColumn } from '../change/plan-columns.tsx';
import { inReviewOrder } from './plans-together.ts';

interface ChosenPlansTableProps {
  readonly of: PlansComparison;
  /** The accounts that take part. */
  readonly part: ReadonlySet<string>;
  readonly onPart: (part: ReadonlySet<string>) => void;
  /** Whether the plan replaced another one, or was added, after the reader opened the page. */
  readonly isNew: (plan: PlanRow) => boolean;
  /** The accounts of the first wave. */
  readonly canaries: ReadonlySet<string>;
  readonly onCanaries: (canaries: ReadonlySet<string>) => void;
  /** The typed numbers by plan and limit. */
  readonly numbers: Readonly<Record<string, string>>;
  readonly onNumbers: (numbers: Readonly<Record<string, string>>) => void;
}

const keyOf = ({ account }: PlanRow) => account;

/** The approvals that all of these plans require; null if they differ. */
export function commonApprovals(plans: readonly PlanRow[]): string | null {
  const texts = new Set(plans.map(approversText));
  return texts.size === 1 ? ([...texts][0] ?? null) : null;
}

/** The plans of a rollout, which accounts go first, and the numbers to approve exactly. */
export function ChosenPlansTable(props: ChosenPlansTableProps) {
  const { of, part, onPart, isNew, canaries, onCanaries, numbers, onNumbers } = props;
  const isAlike = commonApprovals(of.plans) !== null;
  return (
    <Table
      label="Plans of the rollout"
      rows={inReviewOrder(of)}
      keyOf={keyOf}
      columns={[
        choiceColumn<PlanRow>(
          { chosen: part, onChange: onPart, all: () => of.plans.map(keyOf) },
          { keyOf, nameOf: keyOf },
        ),
        planAccountColumn,
        {
          key: 'changes',
          title: 'Changes',
          cell: (plan) => (
            <>
              <PlanChanges plan={plan} />{' '}
              {isNew(plan) ? <Tag tone="amber">new plan: select it after review</Tag> : null}
            </>
          ),
        },
        {
          key: 'approval',
          title: 'Approval',
          cell: (plan) => <Approval plan={plan} isAlike={isAlike} numbers={numbers} onNumbers={onNumbers} />,
        },
        {
          key: 'first',
          title: 'First wave',
          cell: ({ account }) => (
            <Tick
              label={`${account} in the first wave`}
              isLabelHidden
              isChecked={canaries.has(account)}
              onChange={(isFirst) => onCanaries(withKey(canaries, account, isFirst))}
            />
          ),
        },
      ]}
    />
  );
}

interface ApprovalProps extends Pick<ChosenPlansTableProps, 'numbers' | 'onNumbers'> {
  readonly plan: PlanRow;
  readonly isAlike: boolean;
}

function Approval({ plan, isAlike, numbers, onNumbers }: ApprovalProps) {
  if (plan.state === 'approved') return <>approved</>;
  const { allowed, reason = 'your roles do not allow approving it' } = plan.may_approve;
  return (
    <div>
      <p>{approvalState(plan) || 'approved when you start'}</p>
      {isAlike ? null : <p class="fine">Requires {approversText(plan)}.</p>}
      {allowed ? null : <p class="dim">You can't approve it: {reason}.</p>}
      {(allowed ? plan.required.numbers : []).map(({ limit, value }) => {
        const key = `${plan.id} ${limit}`;
        const typed = numbers[key] ?? '';
        return (
          <TextField
            key={key}
            label={`Number of ${changeNoun(limit)} of ${plan.account}`}
            value={typed}
            inputMode="numeric"
            onInput={(text) => onNumbers({ ...numbers, [key]: text })}
            problem={typed === '' || isExact(typed, value) ? null : `The plan has ${figure(value)}.`}
          />
        );
      })}
    </div>
  );
}
