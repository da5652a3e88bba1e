import { useState } from 'preact/hooks';
import { Section } from '../../../output/components/section.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { useAction } from '../../data/action.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Banner, problemText } from '../../parts/states.tsx';

/** The three reactions to drift. */
export function Resolve({ account }: { readonly account: string }) {
  const plan = useAction('POST', '/accounts/plan');
  const [isQueued, setQueued] = useState(false);
  return (
    <Section title="What you can do" class="resolve">
      <dl>
        <div>
          <dt>Make the fleet match the file</dt>
          <dd>
            <p>The server proposes a plan with all of these changes. It waits for approval.</p>
            {maySomewhere('plan') ? (
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
            ) : null}
            {isQueued ? (
              <Banner tone="green">The plan is queued. It appears on the History tab.</Banner>
            ) : null}
            {plan.problem === null ? null : <Banner tone="red">{problemText(plan.problem)}</Banner>}
          </dd>
        </div>
        <div>
          <dt>Make the file match the fleet</dt>
          <dd>
            <p>Propose a patch of the desired state with what people changed in the fleet.</p>
            {maySomewhere('plan') ? (
              <ButtonLink href={consoleAddress.propose({ drift: account })}>Adopt everything…</ButtonLink>
            ) : null}
          </dd>
        </div>
        <div>
          <dt>Accept the difference for a while</dt>
          <dd>
            <p>
              Ignore a difference for some time, with a reason. It does not count as drift, and plans still
              contain it. To keep it out of plans as well, add <code>ignore</code> to the entry of the host.
            </p>
          </dd>
        </div>
      </dl>
    </Section>
  );
}
