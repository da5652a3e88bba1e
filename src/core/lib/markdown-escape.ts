import { printable } from './words.ts';

/**
 * Writes untrusted text as a code element of GitHub-flavoured Markdown, on one line and safe in table cells. Inside
 * code nothing becomes a mention, issue reference, link, emoji or HTML, either in the renderer or in what a forge
 * searches for in the rendered page. Control and direction-changing characters become symbols.
 */
export function markdownCode(text: string): string {
  const shown = printable(text);
  return plainSpan.test(shown) ? `\`${shown}\`` : codeElement(shown);
}

/** The same for places where Markdown is not read, such as a `<summary>`. */
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
  // GitHub looks for email addresses in decoded text, but not across elements.
  return character === '@' ? `${written}</code><code>` : written;
}
