import { endOfString } from './end-of-string.ts';

/**
 * JSON whose integers stay exact. `JSON.parse` rounds beyond 2^53, so integers of sixteen digits and more are
 * put in quotation marks first and arrive as decimal strings; all others arrive as numbers.
 *
 *     {"id": 9007199254740993, "n": 5}   ->   {"id": "9007199254740993", "n": 5}
 *
 * A digit run of sixteen covers at least one byte at a multiple of sixteen, so looking at every sixteenth byte
 * finds them all; bench/exact-json.ts prints what that costs beside plain `JSON.parse`.
 */
const stride = 16;
const zero = 0x30;
const nine = 0x39;
const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const minus = 0x2d;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;
const backslash = 0x5c;

/** Reads UTF-8. Throws a SyntaxError, as `JSON.parse` does. */
export function parseExactJson(bytes: Uint8Array): unknown {
  const json = hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes;
  const quoted = quoteLongMembers(json);
  return JSON.parse(quoted === null ? quoteLongIntegers(decoder.decode(json)) : decoder.decode(quoted));
}

/** The same for a string, such as the text of a plan file. */
export function parseExactJsonText(text: string): unknown {
  return JSON.parse(quoteLongIntegers(text));
}

/** Writes a decimal text as a JSON integer, for `JSON.stringify`. */
export function exactInteger(decimal: string): unknown {
  if (!/^-?(?:0|[1-9]\d*)$/.test(decimal)) throw new RangeError('not a decimal integer');
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(decimal);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Quotes long integers that are the value of a field, looking only at the bytes around each. Returns null if those
 * bytes do not show whether an integer is inside a string; then all strings must be scanned.
 */
function quoteLongMembers(bytes: Uint8Array): Uint8Array | null {
  const length = bytes.length;
  let out: Uint8Array | undefined;
  let written = 0;
  let copied = 0;
  let at = stride - 1;
  while (at < length) {
    if (!isDigit(bytes[at])) {
      at += stride;
      continue;
    }
    let start = at;
    while (isDigit(bytes[start - 1])) start -= 1;
    let end = at + 1;
    while (isDigit(bytes[end])) end += 1;
    at = end + stride - 1;
    if (end - start < stride || bytes[start] === zero) continue;
    if (bytes[start - 1] === minus) start -= 1;
    const standing = standingOf(bytes, start, end);
    if (standing === 'unclear') return null;
    if (standing === 'not an integer') continue;
    out ??= new Uint8Array(length + Math.ceil(length / stride) * 2);
    out.set(bytes.subarray(copied, start), written);
    written += start - copied;
    out[written++] = quote;
    for (let digit = start; digit < end; digit += 1) out[written++] = bytes[digit] as number;
    out[written++] = quote;
    copied = end;
  }
  if (out === undefined) return bytes;
  out.set(bytes.subarray(copied), written);
  return out.subarray(0, written + length - copied);
}

type Standing = 'member' | 'not an integer' | 'unclear';

function standingOf(bytes: Uint8Array, start: number, end: number): Standing {
  const before = skipBlanks(bytes, start - 1, -1);
  const after = bytes[skipBlanks(bytes, end, 1)];
  if (before < 0) return 'unclear';
  if (bytes[before] === comma || bytes[before] === openBracket) {
    return after === comma || after === closeBracket ? 'unclear' : 'not an integer';
  }
  if (bytes[before] !== colon || (after !== comma && after !== closeBrace)) return 'not an integer';
  const keyEnd = skipBlanks(bytes, before - 1, -1);
  if (bytes[keyEnd] !== quote) return 'not an integer';
  let escapes = keyEnd;
  while (bytes[escapes - 1] === backslash) escapes -= 1;
  if (escapes < keyEnd) return (keyEnd - escapes) % 2 === 0 ? 'member' : 'not an integer';
  // After one of these, the quotation mark may also begin a string whose text starts with the colon.
  const beforeQuote = skipBlanks(bytes, keyEnd - 1, -1);
  return beforeQuote < 0 || beginsString.has(bytes[beforeQuote] as number) ? 'unclear' : 'member';
}

const beginsString: ReadonlySet<number> = new Set([colon, comma, openBracket, openBrace]);

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= zero && code <= nine;
}

function skipBlanks(bytes: Uint8Array, from: number, step: 1 | -1): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += step;
  return at;
}

/** Scans every string and every number, in time that grows only with the length of the text. */
function quoteLongIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  const parts: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (isDigit(code) || code === minus) {
      const end = endOfNumber(text, at);
      if (end - at >= stride && isLongInteger(text.slice(at, end)) && !isFollowedByColon(text, end)) {
        parts.push(text.slice(copied, at), '"', text.slice(at, end), '"');
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  parts.push(text.slice(copied));
  return parts.join('');
}

const numberText = /[-+.\deE]*/y;

function endOfNumber(text: string, start: number): number {
  numberText.lastIndex = start;
  numberText.test(text);
  return numberText.lastIndex;
}

function isLongInteger(token: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(token);
}

/** A number is not a key, and quoting must not turn it into one. */
function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (' \n\r\t'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charCodeAt(at) === colon;
}
