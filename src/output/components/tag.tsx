import type { ComponentChildren } from 'preact';
import type { Tone } from './tone.ts';

/** A word on a tinted ground, such as `can't be undone`. */
export function Tag({
  tone = 'dim',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}) {
  return <span class={`tag ${tone}`}>{children}</span>;
}
