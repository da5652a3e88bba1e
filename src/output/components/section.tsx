import type { ComponentChildren } from 'preact';
import { Text } from './text.tsx';

interface SectionProps {
  readonly title: string;
  /** For links to the section. */
  readonly id?: string | undefined;
  readonly count?: ComponentChildren;
  readonly lead?: string | undefined;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** A part of a page under a heading. */
export function Section({ title, id, count, lead, actions, children, class: name = '' }: SectionProps) {
  return (
    <section id={id} class={`section ${name}`}>
      <div class="section-head">
        <h2>
          {title} {count === undefined ? null : <span class="section-count">{count}</span>}
        </h2>
        {actions}
      </div>
      {lead === undefined ? null : (
        <p class="lead">
          <Text text={lead} />
        </p>
      )}
      {children}
    </section>
  );
}

/** Names and values. */
export function FactList({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>
            <Text text={name} />
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A list that is folded if it is long. */
export function Fold({
  title,
  isOpen,
  children,
}: {
  readonly title: ComponentChildren;
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="fold" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
