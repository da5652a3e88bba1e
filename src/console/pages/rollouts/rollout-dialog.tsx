import type { RolloutDetail } from '../../../api/runs.ts';
import { Field } from '../../../output/components/field.tsx';
import { announce } from '../../browser/announce.ts';
import { useDraft } from '../../browser/draft.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/states.tsx';

const words = {
  stop: {
    title: 'Stop this rollout',
    verb: 'Stop',
    text: 'Runs in progress end as usual, and no other account starts. You can resume it later.',
    announcement: 'The rollout is stopped.',
  },
  resume: {
    title: 'Resume this rollout',
    verb: 'Resume',
    text: 'It continues with the accounts that are not done.',
    announcement: 'The rollout continues.',
  },
  abort: {
    title: 'Abort this rollout',
    verb: 'Abort',
    text: 'No other account starts, and nobody can resume it. Completed changes stay.',
    announcement: 'The rollout is aborted.',
  },
} as const;

/** Asks for the reason, which the audit log keeps. */
export function RolloutDialog({
  rollout,
  act,
  onClose,
  onChange,
}: {
  readonly rollout: RolloutDetail;
  readonly act: keyof typeof words;
  readonly onClose: () => void;
  readonly onChange: () => void;
}) {
  const [reason, setReason] = useDraft(`rollout.${rollout.id}.${act}`);
  const sending = useAction('POST', `${pathOf`/rollouts/${rollout.id}`}/${act}`);
  const { title, verb, text, announcement } = words[act];
  const send = async () => {
    const answer = await sending.run({ reason: reason.trim() });
    if (answer?.ok !== true) return;
    setReason('');
    announce(announcement);
    onChange();
    onClose();
  };
  return (
    <Confirm
      title={title}
      verb={verb}
      isDangerous={act === 'abort'}
      isBusy={sending.isBusy}
      reason={reason.trim() === '' ? 'Write a reason.' : null}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <p>{text}</p>
      <Field label="Reason" lines={2} value={reason} onInput={setReason} maxLength={500} isRequired />
      {sending.problem === null ? null : <ErrorState tried={verb} problem={sending.problem} />}
    </Confirm>
  );
}
