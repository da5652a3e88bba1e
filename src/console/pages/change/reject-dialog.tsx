import type { PlanDetail } from '../../../api/plans.ts';
import { pathOf } from '../../data/api.ts';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';

interface RejectDialogProps {
  readonly plan: PlanDetail;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** Asks for the reason of a rejection, which the author reads. */
export function RejectDialog({ plan, onClose, onChange }: RejectDialogProps) {
  return (
    <ReasonDialog
      title="Reject this plan"
      verb="Reject"
      tried="Rejecting"
      isDangerous
      path={pathOf`/plans/${plan.id}/reject`}
      body={() => ({ checksum: plan.checksum })}
      draft={`plan.${plan.checksum}.rejection`}
      longest={2_000}
      announcement="The plan is rejected."
      onDone={onChange}
      onClose={onClose}
    >
      <p>
        Nobody can apply a rejected plan. While the changes stay the same, checks make no new plan until this
        one expires or someone plans again.
      </p>
    </ReasonDialog>
  );
}
