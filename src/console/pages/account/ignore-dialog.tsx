import { useState } from 'preact/hooks';
import type { DriftRow } from '../../../api/accounts.ts';
import type { IgnoreAnswer } from '../../../api/ignores.ts';
import { Choice } from '../../../output/components/field.tsx';
import { counted } from '../../../output/components/numbers.ts';
import { pathOf } from '../../data/api.ts';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';

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
  const [days, setDays] = useState<(typeof durations)[number]['value']>('7');
  const subject = target.kind === 'cause' ? counted(target.hosts, 'host') : '1 difference';
  const what = target.kind === 'cause' ? target.cause : `${target.row.host_id} ${target.row.attribute}`;
  const doneText = ({ differences }: IgnoreAnswer) =>
    `${counted(differences, 'difference')} ignored. A check is queued to update the counts.`;
  return (
    <ReasonDialog<IgnoreAnswer>
      title={target.kind === 'cause' ? `Ignore the differences of ${subject}` : `Ignore ${subject}`}
      verb={target.kind === 'cause' ? 'Ignore all' : 'Ignore'}
      tried="Ignoring"
      path={pathOf`/accounts/${account}/ignores`}
      body={() => ({
        ...(target.kind === 'cause'
          ? { cause: target.cause }
          : { differences: [{ host_id: target.row.host_id, attribute: target.row.attribute }] }),
        until: new Date(Date.now() + Number(days) * day).toISOString(),
      })}
      draft={`ignore.${account}.${what}`}
      announcement={doneText}
      onDone={(answer) => onDone(doneText(answer))}
      onClose={onClose}
      after={<Choice label="How long" value={days} options={durations} onChange={setDays} />}
    >
      <p>
        An ignored difference does not count as drift. It counts again when the time is over, or when someone
        changes the host again. Plans still contain it. To keep it out of plans, add <code>ignore</code> to
        the entry of the host.
      </p>
    </ReasonDialog>
  );
}
