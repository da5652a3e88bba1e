import { useState } from 'preact/hooks';
import type { RunDetail } from '../../../api/runs.ts';
import { Field } from '../../../output/components/field.tsx';
import { pageOf, useAddress } from '../../browser/address.ts';
import { announce } from '../../browser/announce.ts';
import { useDraft } from '../../browser/draft.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { maySomewhere } from '../../data/may.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { isUnderWay, undoableHosts } from './run-words.ts';

interface RunActionProps {
  readonly run: RunDetail;
  readonly onChange: () => void;
}

/** Stop while it runs, undo afterwards. A run that waits for a change window can begin now, with a reason. */
export function RunActions({ run, onChange }: RunActionProps) {
  if (!isUnderWay(run)) return <Undo run={run} />;
  return (
    <>
      {run.waits_for?.kind === 'window' && !run.override ? (
        <OverrideWindow run={run} onChange={onChange} />
      ) : null}
      <Stop run={run} onChange={onChange} />
    </>
  );
}

function OverrideWindow({ run, onChange }: RunActionProps) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useDraft(`run.${run.id}.override`);
  const overriding = useAction('POST', pathOf`/runs/${run.id}/override`);
  const override = async () => {
    const answer = await overriding.run({ reason: reason.trim() });
    if (answer?.ok !== true) return;
    setReason('');
    setOpen(false);
    announce('The run no longer waits for change windows.');
    onChange();
  };
  const refusal = maySomewhere('override-window') ? null : 'Your roles do not allow overriding windows.';
  return (
    <>
      <Button onClick={() => setOpen(true)} reason={refusal}>
        Override the window…
      </Button>
      {isOpen ? (
        <Confirm
          title="Override the change window"
          verb="Start the run now"
          isDangerous
          isBusy={overriding.isBusy}
          reason={reason.trim() === '' ? 'Write a reason.' : null}
          onConfirm={() => void override()}
          onClose={() => setOpen(false)}
        >
          <p>
            The run begins now and does not stop when a window closes. The override holds for this run only,
            and the audit log contains your reason.
          </p>
          <p>{run.waits_for?.message}</p>
          <Field label="Reason" value={reason} onInput={setReason} maxLength={500} isRequired />
          {overriding.problem === null ? null : (
            <ErrorState tried="Overriding the window" problem={overriding.problem} />
          )}
        </Confirm>
      ) : null}
    </>
  );
}

function Stop({ run, onChange }: RunActionProps) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useDraft(`run.${run.id}.stop`);
  const stopping = useAction('POST', pathOf`/runs/${run.id}/stop`);
  const stop = async () => {
    const answer = await stopping.run({ reason: reason.trim() });
    if (answer?.ok !== true) return;
    setReason('');
    setOpen(false);
    announce('The run stops at the next safe point.');
    onChange();
  };
  const refusal = !maySomewhere('stop')
    ? 'Your roles do not allow stopping runs.'
    : run.state === 'stopping'
      ? 'It is stopping.'
      : null;
  return (
    <>
      <Button onClick={() => setOpen(true)} reason={refusal}>
        Stop at a safe point…
      </Button>
      {isOpen ? (
        <Confirm
          title="Stop this run"
          verb="Stop the run"
          isDangerous
          isBusy={stopping.isBusy}
          reason={reason.trim() === '' ? 'Write a reason.' : null}
          onConfirm={() => void stop()}
          onClose={() => setOpen(false)}
        >
          <p>
            Calls that were sent are finished and recorded, and no other call is sent. Completed changes stay.
            A new plan contains the rest.
          </p>
          <Field label="Reason" value={reason} onInput={setReason} maxLength={500} isRequired />
          {stopping.problem === null ? null : <ErrorState tried="Stopping" problem={stopping.problem} />}
        </Confirm>
      ) : null}
    </>
  );
}

function Undo({ run }: { readonly run: RunDetail }) {
  const { go } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useDraft(`run.${run.id}.undo`);
  const undoing = useAction<{ readonly plan: string }>('POST', pathOf`/runs/${run.id}/undo`);
  const undo = async () => {
    const answer = await undoing.run({ reason: reason.trim() });
    if (answer?.ok !== true) return;
    setReason('');
    go(pageOf.change(answer.value.plan));
  };
  const refusal = !maySomewhere('undo')
    ? 'Your roles do not allow undoing runs.'
    : run.steps.done === 0
      ? 'Nothing was done.'
      : run.by_kind.length === 0 || undoableHosts(run) > 0
        ? null
        : "Deletions and installs can't be undone.";
  return (
    <>
      <Button onClick={() => setOpen(true)} reason={refusal}>
        Undo as a plan…
      </Button>
      {isOpen ? (
        <Confirm
          title="Undo this run"
          verb="Make the plan"
          isBusy={undoing.isBusy}
          reason={reason.trim() === '' ? 'Write a reason.' : null}
          onConfirm={() => void undo()}
          onClose={() => setOpen(false)}
        >
          <p>
            A new plan reverses the changes of this run that can be undone. Nothing changes until the plan is
            reviewed and approved.
          </p>
          <Field label="Reason" value={reason} onInput={setReason} maxLength={500} isRequired />
          {undoing.problem === null ? null : <ErrorState tried="Making the plan" problem={undoing.problem} />}
        </Confirm>
      ) : null}
    </>
  );
}
