import { useState } from 'preact/hooks';
import { Choice } from '../../../output/components/field.tsx';
import { counted } from '../../../output/components/numbers.ts';
import { useDraft } from '../../browser/draft.ts';
import { type ApiProblem, send } from '../../data/api.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ReasonField } from '../../parts/reason-field.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { ChosenNames } from './chosen-names.tsx';

const durations = [
  { value: '3600', text: '1 hour' },
  { value: '28800', text: '8 hours' },
  { value: '86400', text: '1 day' },
  { value: '604800', text: '7 days' },
  { value: '', text: 'Until someone resumes' },
] as const;

interface PauseDialogProps {
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks why and for how long accounts should pause. The text stays if the server refuses. */
export function PauseDialog({ names, onClose, onDone }: PauseDialogProps) {
  const [reason, setReason] = useDraft(`pause.${names.length === 1 ? names[0] : 'several'}`);
  const [seconds, setSeconds] = useState<(typeof durations)[number]['value']>('86400');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [paused, setPaused] = useState<ReadonlySet<string>>(new Set());
  const left = names.filter((name) => !paused.has(name));
  const pause = async () => {
    setBusy(true);
    setProblem(null);
    const until =
      seconds === '' ? {} : { until: new Date(Date.now() + Number(seconds) * 1000).toISOString() };
    for (const account of left) {
      const answer = await send('POST', '/pauses', { account, reason: reason.trim(), ...until });
      if (!answer.ok) {
        setProblem(answer.problem);
        setBusy(false);
        return;
      }
      setPaused((before) => new Set(before).add(account));
    }
    setReason('');
    onDone();
  };
  const subject = counted(left.length, 'account');
  return (
    <Confirm
      title={`Pause ${counted(names.length, 'account')}`}
      verb={`Pause ${subject}`}
      isBusy={isBusy}
      reason={reason.trim() === '' ? 'Enter a reason first.' : null}
      onClose={onClose}
      onConfirm={() => void pause()}
    >
      <p>Rampart still checks a paused account, but does not change it. A run in progress finishes first.</p>
      <ChosenNames names={left} />
      <ReasonField value={reason} onInput={setReason} />
      <Choice label="How long" value={seconds} options={durations} onChange={setSeconds} />
      <ErrorState problem={problem} tried={`Pausing ${left[0] ?? ''}`} />
    </Confirm>
  );
}
