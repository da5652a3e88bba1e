import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../browser/announce.ts';

/** The address whose page last took the focus. The first page leaves the focus to the browser. */
let focused: string | null = null;

interface PageProps {
  /** The title of the window, in plain text. */
  readonly title: string;
  /** The heading, if it is more than the title. */
  readonly heading?: ComponentChildren;
  /** Where the page belongs, such as the account of a plan. */
  readonly above?: ComponentChildren;
  /** A line under the heading. */
  readonly below?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The frame of a page. When the reader comes to it, its heading takes the focus. */
export function Page({ title, heading, above, below, actions, children, class: name = '' }: PageProps) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Rampart`;
    if (focused !== null) announce(document.title);
  }, [title]);
  useEffect(() => {
    const here = location.pathname;
    if (focused !== null && focused !== here) head.current?.focus({ preventScroll: true });
    focused = here;
  }, []);
  return (
    <div class={`page ${name}`}>
      <header class="page-head">
        <div class="page-title">
          {above === undefined ? null : <p class="fine">{above}</p>}
          <h1 ref={head} tabIndex={-1}>
            {heading ?? title}
          </h1>
          {below === undefined ? null : <div class="below">{below}</div>}
        </div>
        {actions === undefined ? null : <div class="actions page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
