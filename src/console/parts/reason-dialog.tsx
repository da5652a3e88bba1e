import type { ComponentChildren } from 'preact';
import { announce } from '../browser/announce.ts';
import { useDraft } from '../browser/draft.ts';
import { useAction } from '../data/action.ts';
import { Confirm } from './dialog.tsx';
import { ReasonField } from './reason-field.tsx';
import { ErrorState } from './states.tsx';

interface ReasonDialogProps<Value> {
  readonly title: string;
  readonly verb: string;
  /** What failed, if it fails, such as `Stopping`. */
  readonly tried: string;
  readonly isDangerous?: boolean;
  /** Where the reason is sent. */
  readonly path: string;
  /** What is sent with the reason. */
  readonly body?: () => Readonly<Record<string, unknown>>;
  /** The name under which the reason is kept until it was sent. */
  readonly draft: string;
  readonly longest?: number;
  readonly announcement: string | ((answer: Value) => string);
  readonly onDone: (answer: Value) => void;
  readonly onClose: () => void;
  /** What it means. */
  readonly children: ComponentChildren;
  /** Fields after the reason. */
  readonly after?: ComponentChildren;
}

/** Asks for the reason of an act, which the audit log keeps, and sends it. */
export function ReasonDialog<Value>(props: ReasonDialogProps<Value>) {
  const [reason, setReason] = useDraft(props.draft);
  const sending = useAction<Value>('POST', props.path);
  const send = async () => {
    const answer = await sending.run({ ...props.body?.(), reason: reason.trim() });
    if (answer?.ok !== true) return;
    setReason('');
    const { announcement } = props;
    announce(typeof announcement === 'string' ? announcement : announcement(answer.value));
    props.onClose();
    props.onDone(answer.value);
  };
  return (
    <Confirm
      title={props.title}
      verb={props.verb}
      isDangerous={props.isDangerous === true}
      isBusy={sending.isBusy}
      reason={reason.trim() === '' ? 'Enter a reason.' : null}
      onConfirm={() => void send()}
      onClose={props.onClose}
    >
      {props.children}
      <ReasonField value={reason} onInput={setReason} longest={props.longest} />
      {props.after}
      <ErrorState tried={props.tried} problem={sending.problem} />
    </Confirm>
  );
}
