import { endOfPlainBytes } from './value-ends.ts';

const quote = 0x22;
const colon = 0x3a;

/** A position in a JSON text. */
export interface JsonCursor {
  readonly bytes: Buffer;
  at: number;
}

/** Skips white space and, if it follows, this character. */
export function take(cursor: JsonCursor, character: number): boolean {
  skipBlanks(cursor);
  if (cursor.bytes[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

/** Skips a key and its colon, up to the start of the value. Undefined if the key has escapes or there is no key. */
export function takeKey(cursor: JsonCursor): string | undefined {
  if (!take(cursor, quote)) return undefined;
  const { bytes, at } = cursor;
  const end = endOfPlainBytes(bytes, at);
  cursor.at = end + 1;
  if (bytes[end] !== quote || !take(cursor, colon)) return undefined;
  skipBlanks(cursor);
  return bytes.toString('latin1', at, end);
}

/** True if only white space is left. */
export function isAtEnd(cursor: JsonCursor): boolean {
  skipBlanks(cursor);
  return cursor.at === cursor.bytes.length;
}

function skipBlanks(cursor: JsonCursor): void {
  cursor.at = endOfBlanks(cursor.bytes, cursor.at);
}

export function endOfBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}
