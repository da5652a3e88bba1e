import { printable } from '../../core/lib/printable.ts';

/** A piece of well-formed HTML, in which untrusted text is only text. */
export interface Html {
  readonly markup: string;
}

export type HtmlPart = string | number | Html | readonly Html[];

/**
 * HTML with values in it, as content or within quoted attributes. Every value that is not HTML itself is made printable
 * and escaped, so that no untrusted text becomes an element, an attribute or a direction change.
 */
export function html(fixed: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return { markup: fixed.map((text, index) => text + markupOf(parts[index] ?? '')).join('') };
}

export const nothing: Html = { markup: '' };

/** Text that its author already made printable, and that keeps its line breaks. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function markupOf(part: HtmlPart): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(printable(part));
  return 'markup' in part ? part.markup : part.map((each) => each.markup).join('');
}
