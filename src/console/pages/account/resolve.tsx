import { useState } from 'preact/hooks';
import { consoleAddress } from '../../browser/address.ts';
import { useAction } from '../../data/action.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Banner, problemText } from '../../parts/states.tsx';

/** The three reactions to drift, for all differences of an account. */
export function Resolve({ account }: { readonly account: string }) {
  const plan = useAction('POST', '/accounts/plan');
  const [isQueued, setQueued] = useState(false);
  return (
    <>
      <ul class="resolve fine" aria-label="What you can do">
        {maySomewhere('plan') ? (
          <>
            <li>
              <Button
                isBusy={plan.isBusy}
                onClick={() =>
                  void plan
                    .run({ names: [account], reason: 'Drift in the console' })
                    .then((answer) => setQueued(answer?.ok === true))
                }
              >
                Propose a plan
              </Button>
              <span>Make the fleet match the file, after approval.</span>
            </li>
            <li>
              <ButtonLink href={consoleAddress.propose({ drift: account })}>Adopt everything…</ButtonLink>
              <span>Make the file match the fleet, with a patch.</span>
            </li>
          </>
        ) : null}
        {maySomewhere('pause') ? <li>Or ignore a difference in its row for a while.</li> : null}
      </ul>
      {isQueued ? <Banner tone="green">The plan is queued. It appears on the History tab.</Banner> : null}
      {plan.problem === null ? null : <Banner tone="red">{problemText(plan.problem)}</Banner>}
    </>
  );
}
