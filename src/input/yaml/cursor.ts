/** A position in a text. */
export interface YamlCursor {
  readonly text: string;
  /** The offset of the next character. */
  at: number;
  /** The start of the current line. */
  lineStart: number;
  /** The number of the current line. */
  line: number;
  /** The end of the last value that was read, including the rest of its line. */
  readUntil: number;
  /** Was the list of entries of the file read? */
  hasEntries: boolean;
  /** The last short key of each length. Entries repeat keys, and a shared string is found in a table immediately. */
  readonly keys: string[];
}

export const code = {
  tab: 0x09,
  lineFeed: 0x0a,
  return: 0x0d,
  blank: 0x20,
  doubleQuote: 0x22,
  hash: 0x23,
  singleQuote: 0x27,
  comma: 0x2c,
  hyphen: 0x2d,
  dot: 0x2e,
  colon: 0x3a,
  greater: 0x3e,
  bracket: 0x5b,
  backslash: 0x5c,
  bracketEnd: 0x5d,
  brace: 0x7b,
  bar: 0x7c,
  braceEnd: 0x7d,
} as const;

export function cursorAt(text: string): YamlCursor {
  return { text, at: 0, lineStart: 0, line: 1, readUntil: 0, hasEntries: false, keys: [] };
}

/** The column of the next character; -1 at the end of the text. */
export function columnOf({ text, at, lineStart }: YamlCursor): number {
  return at < text.length ? at - lineStart : -1;
}

export function next({ text, at }: YamlCursor): number {
  return text.charCodeAt(at);
}

/** Is the character at an offset a blank, or the end of a line or of the text? */
export function isSpace(text: string, at: number): boolean {
  return text.charCodeAt(at) === code.blank || isLineEnd(text, at);
}

export function isLineEnd(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (
    unit === code.lineFeed ||
    at >= text.length ||
    (unit === code.return && text.charCodeAt(at + 1) === code.lineFeed)
  );
}

export function skipBlanks(cursor: YamlCursor): void {
  while (next(cursor) === code.blank) cursor.at += 1;
}

/** Skips blanks and returns whether the rest of the line is at most a comment. */
export function isLineOver(cursor: YamlCursor): boolean {
  skipBlanks(cursor);
  if (isLineEnd(cursor.text, cursor.at)) return true;
  return (
    next(cursor) === code.hash &&
    (cursor.at === cursor.lineStart || cursor.text.charCodeAt(cursor.at - 1) === code.blank)
  );
}

/** Goes to the next line. */
export function skipLine(cursor: YamlCursor): void {
  const end = cursor.text.indexOf('\n', cursor.at);
  cursor.at = end === -1 ? cursor.text.length : end + 1;
  cursor.lineStart = cursor.at;
  cursor.line += 1;
}

/** Goes to the next character that is not blank, line end or comment. The end of the text has no column. */
export function skipLines(cursor: YamlCursor): void {
  while (isLineOver(cursor) && cursor.at < cursor.text.length) skipLine(cursor);
}
