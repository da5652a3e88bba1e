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
