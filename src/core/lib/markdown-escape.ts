import { printable } from './printable.ts';

/**
 * Text from outside as a code element of GitHub-flavoured Markdown, on one line and in table cells too: what stands
 * in code is no mention, issue reference, link, emoji or HTML, neither for the renderer nor for what a forge looks
 * for in the rendered page. Control and direction-changing characters become symbols.
 */
export function markdownCode(text: string): string {
  const shown = printable(text);
  return plainSpan.test(shown) ? `\`${shown}\`` : codeElement(shown);
}

/** The same where Markdown isn't read, such as in a `<summary>`. */
export function htmlCode(text: string): string {
  return codeElement(printable(text));
}

// A backtick would close the span, a bar ends a table cell before spans are read, and blanks at both ends are dropped.
const plainSpan = /^(?! )[^`|]+(?<! )$/;

function codeElement(shown: string): string {
  return `<code>${shown.replace(/[^\p{L}\p{N} ]/gu, reference)}</code>`;
}

function reference(character: string): string {
  const written = `&#${character.codePointAt(0)};`;
  // GitHub looks for e-mail addresses in decoded text, yet not across elements.
  return character === '@' ? `${written}</code><code>` : written;
}
