import { Token } from 'cdktf';

/** A text of a stack: known at synth, or an expression whose value only Terraform knows. */
export type StackText =
  | { readonly kind: 'known'; readonly text: string }
  | { readonly kind: 'later'; readonly expression: string };

/** Undefined if the stack does not set it. */
export function readStackText(value: unknown): StackText | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return { kind: 'later', expression: 'an expression' };
  const text = String(value);
  if (Token.isUnresolved(value) || opening.test(text)) return { kind: 'later', expression: text };
  return { kind: 'known', text: text.replaceAll(/([$%])\1\{/g, '$1{') };
}

/** A template whose opening is not doubled, so that Terraform would evaluate it. */
const opening = /(?<!\$)\$\{|(?<!%)%\{/;

export function knownText(text: StackText | undefined): string | undefined {
  return text?.kind === 'known' ? text.text : undefined;
}

export function isLater(text: StackText | undefined): text is Extract<StackText, { readonly kind: 'later' }> {
  return text?.kind === 'later';
}
