/** `1,204`: a whole number for people, with commas in every language, so that a plan has the same bytes everywhere. */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 rename`, `1,204 renames`, `3 entries`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(number)} ${number === 1 ? singular : plural}`;
}

/** `1,204 renames`; nothing for 0. */
export function countIfAny(number: number, singular: string, plural?: string): readonly string[] {
  return number === 0 ? [] : [count(number, singular, plural)];
}

const shown = 80;

/** Untrusted text in quotation marks, for a message. Very long text is cut. */
export function quoted(text: string): string {
  if (text.length <= shown) return `"${text}"`;
  const unit = text.charCodeAt(shown - 1);
  const end = unit >= 0xd800 && unit <= 0xdbff ? shown - 1 : shown;
  return `"${text.slice(0, end)}…"`;
}

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

/** At most three candidates that are similar to `word`, most similar first. */
export function nearest(word: string, candidates: Iterable<string>): readonly string[] {
  const folded = word.toLowerCase();
  const limit = Math.min(word.length - 1, Math.max(2, Math.floor(word.length / 3)));
  const scored: { readonly text: string; readonly distance: number }[] = [];
  for (const text of candidates) {
    if (Math.abs(text.length - word.length) > limit) continue;
    const distance = editDistance(folded, text.toLowerCase());
    if (distance <= limit) scored.push({ text, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.text < b.text ? -1 : 1));
  return scored.slice(0, 3).map((each) => each.text);
}

/** The Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(substituted, (previous[j] as number) + 1, (current[j - 1] as number) + 1);
    }
    previous = current;
  }
  return previous[b.length] as number;
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
