import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { submits } from '../browser/submit.ts';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** `palette` for the search over all. */
  readonly kind?: 'usual' | 'palette';
  /** A click outside does not close it, because typed text would be lost. */
  readonly isForm?: boolean;
}

/**
 * A dialog over the page. Its first field has the focus, so that nothing that someone types presses a button. The browser
 * keeps the focus in it, and returns it to where it was.
 */
export function Dialog({ title, onClose, children, kind = 'usual', isForm = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** A drag that selects text can begin in the dialog and end outside it. */
  const isPressedBeside = useRef(false);
  const titleId = useId();
  // Before the next frame, so that no key goes to the page in between.
  useLayoutEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.showModal();
    const field = opened?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select');
    (field ?? opened)?.focus();
    return () => {
      opened?.close();
      // The element that opened it may no longer exist, for example after a change of roles.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      else document.getElementById('main')?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        if (!isForm && isPressedBeside.current && event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog-inside">
        <div class={kind === 'palette' ? 'unseen' : 'dialog-head'}>
          <h2 id={titleId}>{title}</h2>
          {kind === 'palette' ? null : (
            <Button kind="quiet" label="Close" onClick={onClose}>
              ✕
            </Button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** The verb of the button, such as `Pause 12 accounts`. */
  readonly verb: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly isBusy?: boolean;
  readonly isDangerous?: boolean;
  /** Why it can't be confirmed yet. */
  readonly reason?: string | null;
}

/** A dialog with a form that one button sends. */
export function Confirm(props: ConfirmProps) {
  return (
    <Dialog title={props.title} onClose={props.onClose} isForm>
      <form
        class="form"
        onSubmit={submits(props.isBusy !== true && (props.reason ?? null) === null, props.onConfirm)}
      >
        {props.children}
        <div class="actions dialog-actions">
          <Button kind="quiet" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            kind={props.isDangerous === true ? 'danger' : 'primary'}
            isBusy={props.isBusy ?? false}
            reason={props.reason}
          >
            {props.verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
