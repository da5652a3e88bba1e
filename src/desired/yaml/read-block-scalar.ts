import type { ScalarNode } from '../yaml-tree.ts';
import {
  type Cursor,
  code,
  columnOf,
  isLineEnd,
  isLineOver,
  next,
  skipBlanks,
  skipLine,
  skipLines,
} from './cursor.ts';

const header = /[|>](-?)(?=[ \n])/y;

/** The lines below a `|` or `>`; undefined where they are indented unevenly, or blank lines stand among folded ones. */
export function readBlockScalar(cursor: Cursor, parent: number): ScalarNode | undefined {
  const { text, at: start } = cursor;
  header.lastIndex = start;
  const match = header.exec(text);
  if (match === null) return undefined;
  const isFolded = next(cursor) === code.greater;
  cursor.at = header.lastIndex;
  if (!isLineOver(cursor)) return undefined;
  skipLine(cursor);
  skipBlanks(cursor);
  const column = columnOf(cursor);
  if (column <= parent || isLineEnd(text, cursor.at)) return undefined;

  const lines: string[] = [];
  let blankLines = 0;
  for (; cursor.lineStart < text.length; skipLine(cursor)) {
    const content = text.slice(cursor.lineStart + column, endOfLine(cursor));
    cursor.at = cursor.lineStart;
    skipBlanks(cursor);
    if (isLineEnd(text, cursor.at) && content === '') {
      if (cursor.at === text.length) return undefined;
      blankLines += 1;
      continue;
    }
    if (columnOf(cursor) < column) break;
    if (isUneven(content, isFolded) || (isFolded && blankLines > 0)) return undefined;
    lines.push(...Array<string>(blankLines).fill(''), content);
    blankLines = 0;
    cursor.readUntil = Math.min(endOfLine(cursor) + 1, text.length);
  }
  cursor.at = cursor.lineStart;
  skipLines(cursor);
  const value = `${lines.join(isFolded ? ' ' : '\n')}${match[1] === '-' ? '' : '\n'}`;
  return { kind: 'scalar', text: value, plain: false, start, end: cursor.readUntil };
}

function endOfLine({ text, lineStart }: Cursor): number {
  const end = text.indexOf('\n', lineStart);
  return end === -1 ? text.length : end;
}

/** Lines of blanks, and folded lines that are indented further, have rules of their own. */
function isUneven(content: string, isFolded: boolean): boolean {
  return content.includes('\r') || content.trim() === '' || (isFolded && /^[ \t]/.test(content));
}
