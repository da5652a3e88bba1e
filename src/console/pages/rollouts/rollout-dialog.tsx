import type { RolloutDetail } from '../../../api/runs.ts';
import { pathOf } from '../../data/api.ts';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';

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
  const { title, verb, text, announcement } = words[act];
  return (
    <ReasonDialog
      title={title}
      verb={verb}
      tried={verb}
      isDangerous={act === 'abort'}
      path={`${pathOf`/rollouts/${rollout.id}`}/${act}`}
      draft={`rollout.${rollout.id}.${act}`}
      announcement={announcement}
      onDone={onChange}
      onClose={onClose}
    >
      <p>{text}</p>
    </ReasonDialog>
  );
}
