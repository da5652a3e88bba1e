import { useState } from 'preact/hooks';
import type { PlanDetail } from '../../../api/plans.ts';
import { consoleAddress } from '../../browser/address.ts';
import { announce } from '../../browser/announce.ts';
import { now } from '../../browser/clock.ts';
import { useAction } from '../../data/action.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Banner, ErrorState } from '../../parts/states.tsx';
import { closedReason } from './decision.ts';

/** Says that the plan can no longer be decided on, and offers a new one. */
export function ChangeStateBanner({ plan }: { readonly plan: PlanDetail }) {
  const planning = useAction('POST', '/accounts/plan');
  const [isAsked, setAsked] = useState(false);
  const reason = closedReason(plan, now.value);
  const isOutdated = plan.state === 'stale' || plan.state === 'expired' || plan.state === 'waiting';
  if (reason === null || !isOutdated) return null;
  const ask = async () => {
    const answer = await planning.run({ names: [plan.account] });
    if (answer?.ok !== true) return;
    setAsked(true);
    announce('A new plan was requested.');
  };
  const action =
    plan.replaced_by !== null ? (
      <ButtonLink kind="primary" href={consoleAddress.change(plan.replaced_by)}>
        Review the new plan
      </ButtonLink>
    ) : isAsked ? null : (
      <Button
        kind="primary"
        isBusy={planning.isBusy}
        onClick={() => void ask()}
        reason={maySomewhere('plan') ? null : 'Your roles do not allow planning.'}
      >
        Make a new plan
      </Button>
    );
  return (
    <>
      <Banner tone="amber" action={action}>
        {reason}{' '}
        {plan.replaced_by !== null
          ? 'A newer plan of this account is ready.'
          : isAsked
            ? 'A new plan was requested. A link to it appears here when it is ready.'
            : 'It shows what was planned. Nobody can apply it.'}
      </Banner>
      <ErrorState tried="Requesting a plan" problem={planning.problem} />
    </>
  );
}
