import type { ComponentChildren } from 'preact';
import { isAway } from '../data/live.ts';

type Kind = 'primary' | 'danger' | 'quiet' | 'usual';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
  readonly kind?: Kind;
  readonly type?: 'button' | 'submit';
  /** Work is under way: the button stays in place and does nothing. */
  readonly isBusy?: boolean;
  /** Why the button does nothing now. It stays reachable by keyboard, and the reason is shown beside it. */
  readonly reason?: string | null | undefined;
  /** It does nothing while the server is away. By default, buttons whose work takes time need the server. */
  readonly needsServer?: boolean;
  readonly label?: string;
  readonly keys?: string;
  readonly isExpanded?: boolean;
  readonly controls?: string;
}

const away = 'No connection to the server.';

export function Button(props: ButtonProps) {
  const { children, onClick, kind = 'usual', type = 'button', isBusy = false, label } = props;
  const { needsServer = props.isBusy !== undefined } = props;
  const reason = props.reason ?? (needsServer && isAway.value ? away : null);
  const isOff = isBusy || reason !== null;
  const button = (
    <button
      type={type}
      class={`button ${kind}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      aria-label={label}
      aria-keyshortcuts={props.keys}
      aria-expanded={props.isExpanded}
      aria-controls={props.controls}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
    </button>
  );
  if (!reason) return button;
  return (
    <span class={`button-with-reason ${reason === away ? 'away' : ''}`}>
      {button}
      <span class="reason">{reason}</span>
    </span>
  );
}

interface ButtonLinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly kind?: Kind;
  /** The name of a file: the browser saves the answer instead of showing it. */
  readonly download?: string;
  readonly label?: string;
}

export function ButtonLink({ href, children, kind = 'usual', download, label }: ButtonLinkProps) {
  return (
    <a class={`button ${kind}`} href={href} download={download} aria-label={label}>
      {children}
    </a>
  );
}
