/**
 * Text from outside made safe for a terminal or a log: control characters, escapes, invisible and
 * direction-changing characters are shown as symbols (`␛`, `‹U+202E›`), so nothing can move the cursor,
 * colour the screen or reorder what is read.
 */
export function printable(text: string): string {
  return unsafe.test(text) ? text.replace(unsafeAll, symbol) : text;
}

// C0, DEL, C1, soft hyphen, zero-width and direction marks, line separators, BOM, lone surrogates, tags, and the
// invisible controls of hieroglyphs, shorthand and musical notation.
const pattern =
  '[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\uffff\\p{Cs}\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e007f}]';
const unsafe = new RegExp(pattern, 'u');
const unsafeAll = new RegExp(pattern, 'gu');

function symbol(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}
