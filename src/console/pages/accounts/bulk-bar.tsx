import { useState } from 'preact/hooks';
import { counted } from '../../../output/components/numbers.ts';
import { pageOf, useAddress } from '../../browser/address.ts';
import { announce } from '../../browser/announce.ts';
import { useDraft } from '../../browser/draft.ts';
import { useAction } from '../../data/action.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Banner, ErrorState } from '../../parts/states.tsx';
import { rolloutDraft } from '../rollouts/rollout-draft.ts';
import { ChosenNames } from './chosen-names.tsx';
import { PauseDialog } from './pause-dialog.tsx';

interface Accepted {
  readonly accounts: number;
  readonly queued: number;
}

type Asked = 'check' | 'plan' | 'pause';

/** What can be done to the chosen accounts. */
export function BulkBar({
  chosen,
  onDone,
}: {
  readonly chosen: ReadonlySet<string>;
  readonly onDone: () => void;
}) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const names = [...chosen];
  const { go } = useAddress();
  const [, setAccounts] = useDraft(`${rolloutDraft}accounts`);
  const finish = (text: string) => {
    setAsked(null);
    setDone(text);
    announce(text);
    onDone();
  };
  if (names.length === 0 && asked === null)
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
      <section class="bulk-bar" aria-label="Chosen accounts">
        <strong>{counted(names.length, 'account')} chosen</strong>
        {maySomewhere('check') ? <Button onClick={() => setAsked('check')}>Check now</Button> : null}
        {maySomewhere('plan') ? <Button onClick={() => setAsked('plan')}>Plan</Button> : null}
        {maySomewhere('pause') ? <Button onClick={() => setAsked('pause')}>Pause</Button> : null}
        {maySomewhere('rollout') ? (
          <Button
            onClick={() => {
              setAccounts(JSON.stringify(names));
              go(pageOf.newRollout());
            }}
          >
            Roll out…
          </Button>
        ) : null}
        <Button kind="quiet" onClick={onDone}>
          Clear
        </Button>
      </section>
      {asked === 'pause' ? (
        <PauseDialog
          names={names}
          onClose={() => setAsked(null)}
          onDone={() => finish(`${counted(names.length, 'account')} paused.`)}
        />
      ) : asked === null ? null : (
        <QueueDialog
          kind={asked}
          names={names}
          onClose={() => setAsked(null)}
          onDone={({ queued }) =>
            finish(
              `${counted(queued, asked === 'check' ? 'check' : 'plan')} queued for ${counted(names.length, 'account')}.`,
            )
          }
        />
      )}
    </>
  );
}

const words = {
  check: {
    verb: 'Check',
    text: 'The server reads these accounts now instead of at their next check. Checking sends only read calls.',
  },
  plan: {
    verb: 'Plan',
    text: 'The server reads these accounts and makes a plan for each that differs. Plans wait for approval.',
  },
} as const;

function QueueDialog({
  kind,
  names,
  onClose,
  onDone,
}: {
  readonly kind: 'check' | 'plan';
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: (accepted: Accepted) => void;
}) {
  const action = useAction<Accepted>('POST', `/accounts/${kind}`);
  const { verb, text } = words[kind];
  return (
    <Confirm
      title={`${verb} ${counted(names.length, 'account')}`}
      verb={`${verb} ${counted(names.length, 'account')}`}
      isBusy={action.isBusy}
      onClose={onClose}
      onConfirm={() =>
        void action.run({ names }).then((answer) => {
          if (answer?.ok === true) onDone(answer.value);
        })
      }
    >
      <p>{text}</p>
      <ChosenNames names={names} />
      {action.problem === null ? null : <ErrorState problem={action.problem} />}
    </Confirm>
  );
}
