import type { PlanDetail } from '../../../api/plans.ts';
import { Field } from '../../../output/components/field.tsx';
import { announce } from '../../browser/announce.ts';
import { forgetDrafts, useDraft } from '../../browser/draft.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/states.tsx';

/** Asks for the reason of a rejection, which the author reads. */
export function RejectDialog({
  plan,
  onClose,
  onChange,
}: {
  readonly plan: PlanDetail;
  readonly onClose: () => void;
  readonly onChange: () => void;
}) {
  const name = `plan.${plan.checksum}.rejection`;
  const [reason, setReason] = useDraft(name);
  const rejecting = useAction('POST', pathOf`/plans/${plan.id}/reject`);
  const reject = async () => {
    const answer = await rejecting.run({ checksum: plan.checksum, reason: reason.trim() });
    if (answer?.ok !== true) return;
    forgetDrafts(name);
    announce('The plan is rejected.');
    onChange();
    onClose();
  };
  return (
    <Confirm
      title="Reject this plan"
      verb="Reject"
      isDangerous
      isBusy={rejecting.isBusy}
      reason={reason.trim() === '' ? 'Write a reason.' : null}
      onConfirm={() => void reject()}
      onClose={onClose}
    >
      <p>
        Nobody can apply a rejected plan. While the changes stay the same, checks make no new plan until this
        one expires or someone plans again.
      </p>
      <Field label="Reason" lines={3} value={reason} onInput={setReason} maxLength={2_000} isRequired />
      {rejecting.problem === null ? null : <ErrorState tried="Rejecting" problem={rejecting.problem} />}
    </Confirm>
  );
}
