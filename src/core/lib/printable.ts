/**
 * Makes untrusted text safe for a terminal or a log. Control characters, escapes, invisible and direction-changing
 * characters are shown as symbols (`␛`, `‹U+202E›`), so nothing can move the cursor, color the screen or reorder the
 * text.
 */
export function printable(text: string): string {
  return unsafe.test(text) ? text.replace(unsafeAll, symbol) : text;
}

// Control and format characters (soft hyphen, zero-width and direction marks, tags, invisible controls of scripts and
// notations), line separators, lone surrogates, private specials, and letters that show as nothing.
const pattern =
  '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\u115f\\u1160\\u2060-\\u206f\\u3164\\uffa0\\ufff0-\\uffff\\u{e0000}-\\u{e007f}]';
const unsafe = new RegExp(pattern, 'u');
const unsafeAll = new RegExp(pattern, 'gu');

function symbol(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}
