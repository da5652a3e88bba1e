/**
 * Makes untrusted text safe for a terminal or a log. Control characters, escapes, invisible and direction-changing
 * characters are shown as symbols (`␛`, `‹U+202E›`), so nothing can move the cursor, color the screen or reorder the
 * text.
 */
export function printable(text: string): string {
  return unsafe.test(text) ? text.replace(unsafeAll, symbol) : text;
}

// Control and format characters, line separators, lone surrogates, private specials, and everything invisible (marks of
// direction and width, tags, selectors of variants, fillers). A selector may choose the look of an emoji.
const pattern =
  '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{DI}\\ufff0-\\uffff]' +
  '(?<!\\p{ExtPict}[\\ufe0e\\ufe0f])(?<![#*\\d]\\ufe0f(?=\\u20e3))';
const unsafe = new RegExp(pattern, 'u');
const unsafeAll = new RegExp(pattern, 'gu');

function symbol(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}

/**
 * JSON text without raw control, invisible or direction-changing characters: each is written as `\uXXXX`, so that the
 * value is exact and safe to show in a terminal.
 */
export function printableJson(json: string): string {
  return json.replace(unsafeInJson, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** A value as such a text; on one line without an indent. */
export function jsonText(value: unknown, indent?: number): string {
  return printableJson(JSON.stringify(value, null, indent));
}

const unsafeInJson = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

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
