import { useState } from 'preact/hooks';
import type { DriftRow } from '../../../api/accounts.ts';
import { Choice } from '../../../output/components/field.tsx';
import { counted } from '../../../output/components/numbers.ts';
import { announce } from '../../browser/announce.ts';
import { useDraft } from '../../browser/draft.ts';
import { useAction } from '../../data/action.ts';
import { pathOf } from '../../data/api.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ReasonField } from '../../parts/reason-field.tsx';
import { ErrorState } from '../../parts/states.tsx';

/** The differences to ignore: one of a host, or all of a cause. */
export type IgnoreTarget =
  | { readonly kind: 'difference'; readonly row: DriftRow }
  | { readonly kind: 'cause'; readonly cause: string; readonly hosts: number };

const durations = [
  { value: '1', text: '1 day' },
  { value: '7', text: '7 days' },
  { value: '30', text: '30 days' },
  { value: '90', text: '90 days' },
  { value: '365', text: '365 days' },
] as const;

const day = 86_400_000;

interface IgnoreDialogProps {
  readonly account: string;
  readonly target: IgnoreTarget;
  readonly onClose: () => void;
  readonly onDone: (text: string) => void;
}

/** Asks why and until when differences are ignored. */
export function IgnoreDialog({ account, target, onClose, onDone }: IgnoreDialogProps) {
  const [reason, setReason] = useDraft(`ignore.${account}`);
  const [days, setDays] = useState<(typeof durations)[number]['value']>('7');
  const action = useAction<{ readonly differences: number }>('POST', pathOf`/accounts/${account}/ignores`);
  const subject = target.kind === 'cause' ? counted(target.hosts, 'host') : '1 difference';
  const ignore = async () => {
    const answer = await action.run({
      ...(target.kind === 'cause'
        ? { cause: target.cause }
        : { differences: [{ host_id: target.row.host_id, attribute: target.row.attribute }] }),
      reason: reason.trim(),
      until: new Date(Date.now() + Number(days) * day).toISOString(),
    });
    if (answer?.ok !== true) return;
    setReason('');
    const text = `${counted(answer.value.differences, 'difference')} ignored. A check is queued and counts again.`;
    announce(text);
    onDone(text);
  };
  return (
    <Confirm
      title={target.kind === 'cause' ? `Ignore the differences of ${subject}` : `Ignore ${subject}`}
      verb={target.kind === 'cause' ? 'Ignore all' : 'Ignore'}
      isBusy={action.isBusy}
      reason={reason.trim() === '' ? 'Give a reason first.' : null}
      onClose={onClose}
      onConfirm={() => void ignore()}
    >
      <p>
        An ignored difference does not count as drift. Plans still contain it. It counts again when the time
        is over, or when someone changes the host once more.
      </p>
      <ReasonField value={reason} onInput={setReason} />
      <Choice label="How long" value={days} options={durations} onChange={setDays} />
      {action.problem === null ? null : <ErrorState problem={action.problem} tried="Ignoring" />}
    </Confirm>
  );
}
