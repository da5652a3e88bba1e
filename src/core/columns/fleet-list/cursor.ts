import { endOfPlain } from './value-ends.ts';

const quote = 0x22;
const colon = 0x3a;

/** How far a text of JSON is read. */
export interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

/** Passes over blanks and, where it follows, over this character. */
export function take(cursor: Cursor, character: number): boolean {
  skipBlanks(cursor);
  if (cursor.bytes[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

/** Passes over a key and the colon behind it, to where its value begins. Undefined where it has escapes, or none follows. */
export function takeKey(cursor: Cursor): string | undefined {
  if (!take(cursor, quote)) return undefined;
  const { bytes, at } = cursor;
  const end = endOfPlain(bytes, at);
  cursor.at = end + 1;
  if (bytes[end] !== quote || !take(cursor, colon)) return undefined;
  skipBlanks(cursor);
  return bytes.toString('latin1', at, end);
}

/** Only blanks are left. */
export function isAtEnd(cursor: Cursor): boolean {
  skipBlanks(cursor);
  return cursor.at === cursor.bytes.length;
}

function skipBlanks(cursor: Cursor): void {
  cursor.at = endOfBlanks(cursor.bytes, cursor.at);
}

export function endOfBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}
