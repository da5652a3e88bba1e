import { useState } from 'preact/hooks';
import type { Accepted } from '../../../api/resource.ts';
import { counted } from '../../../output/components/numbers.ts';
import { consoleAddress, useAddress } from '../../browser/address.ts';
import { announce } from '../../browser/announce.ts';
import { forgetDrafts, useDraft } from '../../browser/draft.ts';
import { useAction } from '../../data/action.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { Banner, ErrorState } from '../../parts/states.tsx';
import { mostInAddress, rolloutDraft } from '../rollouts/rollout-draft.ts';
import { PauseDialog } from './pause-dialog.tsx';

/** What can be done to the chosen accounts. */
export function BulkBar({
  chosen,
  onDone,
}: {
  readonly chosen: ReadonlySet<string>;
  readonly onDone: () => void;
}) {
  const [isPausing, setPausing] = useState(false);
  const checking = useAction<Accepted>('POST', '/accounts/check');
  const planning = useAction<Accepted>('POST', '/accounts/plan');
  const problem = checking.problem ?? planning.problem;
  const [done, setDone] = useState<string | null>(null);
  const names = [...chosen];
  const { go } = useAddress();
  const [, setAccounts] = useDraft(`${rolloutDraft}accounts`);
  const finish = (text: string) => {
    setPausing(false);
    setDone(text);
    announce(text);
    onDone();
  };
  const queue = async (action: typeof checking, noun: string) => {
    const answer = await action.run({ names });
    if (answer?.ok === true)
      finish(`${counted(answer.value.queued, noun)} queued for ${counted(names.length, 'account')}.`);
  };
  if (names.length === 0)
    return done === null ? null : (
      <Banner
        tone="green"
        action={
          <Button kind="quiet" onClick={() => setDone(null)}>
            Dismiss
          </Button>
        }
      >
        {done}
      </Banner>
    );
  return (
    <>
      <section class="card bulk-bar" aria-label="Selected accounts">
        <strong>{counted(names.length, 'account')} selected</strong>
        {maySomewhere('check') ? (
          <Button isBusy={checking.isBusy} onClick={() => void queue(checking, 'check')}>
            Check now
          </Button>
        ) : null}
        {maySomewhere('plan') ? (
          <Button isBusy={planning.isBusy} onClick={() => void queue(planning, 'plan')}>
            Plan
          </Button>
        ) : null}
        {maySomewhere('pause') ? (
          <Button needsServer onClick={() => setPausing(true)}>
            Pause
          </Button>
        ) : null}
        {maySomewhere('rollout') ? (
          <Button
            onClick={() => {
              const accounts = names.join(' ');
              const fits = accounts.length <= mostInAddress;
              forgetDrafts(rolloutDraft);
              setAccounts(fits ? '' : accounts);
              go(consoleAddress.newRollout(fits ? { accounts } : {}));
            }}
          >
            Start a rollout…
          </Button>
        ) : null}
        <Button kind="quiet" onClick={onDone}>
          Clear
        </Button>
      </section>
      <ErrorState problem={problem} tried="Queueing" />
      {isPausing ? (
        <PauseDialog
          names={names}
          onClose={() => setPausing(false)}
          onDone={() => finish(`${counted(names.length, 'account')} paused.`)}
        />
      ) : null}
    </>
  );
}
