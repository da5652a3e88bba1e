/** How far a text of JSON is read: its bytes, and one character for each of them, so that their offsets are the same. */
export interface Cursor {
  readonly bytes: Uint8Array;
  readonly text: string;
  at: number;
}

/** Passes over blanks and, where it follows, over this character. */
export function take(cursor: Cursor, character: number): boolean {
  skipBlanks(cursor);
  if (cursor.bytes[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

/** Only blanks are left. */
export function isAtEnd(cursor: Cursor): boolean {
  skipBlanks(cursor);
  return cursor.at === cursor.bytes.length;
}

function skipBlanks(cursor: Cursor): void {
  for (;;) {
    const byte = cursor.bytes[cursor.at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
    cursor.at += 1;
  }
}
