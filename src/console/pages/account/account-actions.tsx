import { useState } from 'preact/hooks';
import type { AccountDetail } from '../../../api/accounts.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { PauseDialog } from '../accounts/pause-dialog.tsx';

interface AccountActionsProps {
  readonly account: AccountDetail;
  readonly onChange: () => void;
}

/** What can be done to an account. */
export function AccountActions({ account, onChange }: AccountActionsProps) {
  const [isPausing, setPausing] = useState(false);
  const [message, setMessage] = useState('');
  const check = useAction('POST', '/accounts/check');
  const plan = useAction('POST', '/accounts/plan');
  const resume = useAction('DELETE', pathOf`/pauses/${account.pause?.id ?? ''}`);
  const problem = check.problem ?? plan.problem ?? resume.problem;
  const queue = async (action: typeof check, text: string) => {
    const answer = await action.run(action === resume ? undefined : { names: [account.name] });
    if (answer?.ok !== true) return;
    setMessage(text);
    onChange();
  };
  return (
    <>
      <span role="status" class="fine act-result">
        {message}
      </span>
      <ErrorState problem={problem} />
      {maySomewhere('check') ? (
        <Button
          isBusy={check.isBusy}
          onClick={() => void queue(check, 'The check is queued. This page shows its result.')}
        >
          Check now
        </Button>
      ) : null}
      {maySomewhere('plan') ? (
        <Button
          isBusy={plan.isBusy}
          onClick={() =>
            void queue(plan, 'The plan is queued. It appears on the History tab if anything differs.')
          }
        >
          Plan
        </Button>
      ) : null}
      {!maySomewhere('pause') ? null : account.pause === null ? (
        <Button needsServer onClick={() => setPausing(true)}>
          Pause
        </Button>
      ) : account.pause.scope === `account:${account.name}` ? (
        <Button isBusy={resume.isBusy} onClick={() => void queue(resume, 'The account is resumed.')}>
          Resume
        </Button>
      ) : null}
      {isPausing ? (
        <PauseDialog
          names={[account.name]}
          onClose={() => setPausing(false)}
          onDone={() => {
            setPausing(false);
            setMessage('The account is paused.');
            onChange();
          }}
        />
      ) : null}
    </>
  );
}
