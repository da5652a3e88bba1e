import type { ScalarNode } from '../sources/yaml-tree.ts';
import {
  code,
  columnOf,
  isLineEnd,
  isLineOver,
  next,
  skipBlanks,
  skipLine,
  skipLines,
  type YamlCursor,
} from './cursor.ts';

const header = /[|>](-?)(?=[ \n])/y;

/**
 * The lines below a `|` or `>`; undefined if their indentation is uneven, or there are blank lines among folded ones.
 */
export function readBlockScalar(cursor: YamlCursor, parent: number): ScalarNode | undefined {
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
  let written = 0;
  for (; cursor.lineStart < text.length; skipLine(cursor)) {
    const content = text.slice(cursor.lineStart + column, endOfLine(cursor));
    cursor.at = cursor.lineStart;
    skipBlanks(cursor);
    if (isLineEnd(text, cursor.at)) {
      if (content !== '' || cursor.at === text.length) return undefined;
      lines.push('');
      continue;
    }
    if (columnOf(cursor) < column) break;
    if (isUneven(content, isFolded) || (isFolded && lines.length > written)) return undefined;
    written = lines.push(content);
    cursor.readUntil = Math.min(endOfLine(cursor) + 1, text.length);
  }
  cursor.at = cursor.lineStart;
  skipLines(cursor);
  const value = lines.slice(0, written).join(isFolded ? ' ' : '\n');
  const ending = match[1] === '-' ? '' : '\n';
  return { kind: 'scalar', text: `${value}${ending}`, plain: false, start, end: cursor.readUntil };
}

function endOfLine({ text, lineStart }: YamlCursor): number {
  const end = text.indexOf('\n', lineStart);
  return end === -1 ? text.length : end;
}

/** Folded lines with more indentation have rules of their own. */
function isUneven(content: string, isFolded: boolean): boolean {
  return content.includes('\r') || content.trim() === '' || (isFolded && /^[ \t]/.test(content));
}
