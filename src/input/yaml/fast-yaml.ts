import { byteUnits } from '../../core/columns/table/byte-units.ts';
import { readPlainItem } from '../../core/columns/table/plain-items.ts';
import { type PlainRow, plainRow } from '../../core/columns/table/plain-row.ts';
import { type RowColumns, rowColumns } from '../../core/columns/table/row-columns.ts';
import { once } from '../../core/lib/once.ts';
import type { MappingNode, Member, ScalarNode, SequenceNode, YamlNode } from '../sources/source-text.ts';
import {
  code,
  columnOf,
  cursorAt,
  isLineEnd,
  isLineOver,
  isSpace,
  next,
  skipBlanks,
  skipLine,
  skipLines,
  type YamlCursor,
} from './cursor.ts';
import { readFlow } from './fast-flow.ts';
import { endOfPlain, readColon, readScalar } from './fast-scalar.ts';

/** The maximum nesting depth of lists and mappings; the full reader explains deeper nesting. */
const maxDepth = 50;

/**
 * The tree of a file in the subset of YAML that nearly every file uses: keys and lists by indentation, braces and
 * brackets, texts on one line, folded or as a block, and comments. Undefined for everything else, valid or not:
 * anchors, tags, tabs, several documents, any mistake.
 */
export function readFastYaml(text: string): YamlNode | undefined {
  const cursor = cursorAt(text);
  if (!skipDocumentMarker(cursor)) return undefined;
  const root = readBlock(cursor, -1, 0);
  return root?.kind === 'scalar' || cursor.at < text.length ? undefined : root;
}

/** False if there is, or may be, another document, or if there is a byte order mark. */
function skipDocumentMarker(cursor: YamlCursor): boolean {
  const { text } = cursor;
  skipLines(cursor);
  if (text.startsWith('---', cursor.at)) {
    if (columnOf(cursor) !== 0) return false;
    cursor.at += 3;
    if (!isLineOver(cursor)) return false;
    skipLines(cursor);
  }
  const isMarked = ['---', '...'].some(
    (marker) => text.startsWith(marker, cursor.at) || text.includes(`\n${marker}`, cursor.at),
  );
  return !isMarked && !text.includes('\ufeff');
}

/**
 * Reads the node at the cursor, on its own line or after a hyphen. All of its lines must be indented more than
 * `parent`.
 */
function readBlock(cursor: YamlCursor, parent: number, depth: number): YamlNode | undefined {
  if (depth > maxDepth) return undefined;
  if (isHyphen(cursor)) return readSequence(cursor, depth);
  const key = readScalar(cursor, false);
  if (key === undefined) return readValue(cursor, parent);
  return readColon(cursor, key, false) ? readMapping(cursor, key, depth) : finishScalar(cursor, key, parent);
}

/** With `rows`, plain items become rows in place of items. */
function readSequence(cursor: YamlCursor, depth: number, rows?: ItemRows): SequenceNode | undefined {
  const start = cursor.at;
  const column = columnOf(cursor);
  const items: YamlNode[] = [];
  do {
    if (rows !== undefined && addItem(cursor, rows)) continue;
    cursor.at += 1;
    const item = isLineOver(cursor) ? readBelow(cursor, column, depth) : readBlock(cursor, column, depth + 1);
    if (item === undefined || columnOf(cursor) > column) return undefined;
    items.push(item);
  } while (columnOf(cursor) === column && isHyphen(cursor));
  return { kind: 'sequence', items, start, end: cursor.readUntil };
}

interface ItemRows {
  readonly units: Uint8Array;
  readonly row: PlainRow;
  readonly columns: RowColumns;
}

/** The list of entries, of which large files have many. Its plain items stay in the text. */
function readEntries(cursor: YamlCursor, depth: number): SequenceNode | undefined {
  const { text } = cursor;
  // The columns take memory for the whole text, so a key that a file repeats must not get them again.
  cursor.hasEntries = true;
  if (!text.isWellFormed()) return readSequence(cursor, depth);
  const start = { ...cursor };
  const units = byteUnits(text);
  const columns = rowColumns(text, units);
  const list = readSequence(cursor, depth, { units, row: plainRow(), columns });
  if (list === undefined || columns.others.length === columns.count) return list;
  // Only edits of the file need the plain items as a tree.
  const items = once(() => (readSequence(start, depth) as SequenceNode).items);
  return {
    ...list,
    rows: { columns, others: list.items },
    get items() {
      return items();
    },
  };
}

/** Adds the item at the hyphen as a row. True if it is plain; then the cursor is at the next item. */
function addItem(cursor: YamlCursor, { units, row, columns }: ItemRows): boolean {
  const { at, lineStart, line } = cursor;
  const column = columnOf(cursor);
  const end = readPlainItem(units, cursor, row);
  if (end !== undefined) {
    while (cursor.lineStart < end) skipLine(cursor);
    skipLines(cursor);
    if (columnOf(cursor) <= column) {
      cursor.readUntil = end;
      columns.addPlain(row);
      return true;
    }
    Object.assign(cursor, { at, lineStart, line });
  }
  columns.addOther();
  return false;
}

/** Starts after the colon of the first key. */
function readMapping(cursor: YamlCursor, firstKey: ScalarNode, depth: number): MappingNode | undefined {
  const column = firstKey.start - cursor.lineStart;
  const members: Member[] = [];
  let key = firstKey;
  while (true) {
    const value = isLineOver(cursor) ? readBelow(cursor, column, depth, key) : readValue(cursor, column);
    if (value === undefined || columnOf(cursor) > column) return undefined;
    members.push({ key, value });
    if (columnOf(cursor) < column) break;
    const nextKey = readScalar(cursor, false);
    if (nextKey === undefined || !readColon(cursor, nextKey, false)) return undefined;
    key = nextKey;
  }
  return { kind: 'mapping', members, start: firstKey.start, end: cursor.readUntil };
}

/** The value of a key or hyphen that ends its line. The list of a key need not be indented. */
function readBelow(
  cursor: YamlCursor,
  column: number,
  depth: number,
  key?: ScalarNode,
): YamlNode | undefined {
  const { at } = cursor;
  skipLine(cursor);
  cursor.readUntil = cursor.at;
  skipLines(cursor);
  const isListed = isHyphen(cursor) && key !== undefined && columnOf(cursor) >= column;
  if (isListed && key.text === 'hosts' && depth === 0 && !cursor.hasEntries)
    return readEntries(cursor, depth + 1);
  if (columnOf(cursor) > column) return readBlock(cursor, column, depth + 1);
  if (isListed) return readSequence(cursor, depth + 1);
  return { kind: 'scalar', text: '', plain: true, start: at, end: at };
}

/** A value that is neither a key nor a block list, with the rest of its last line. */
function readValue(cursor: YamlCursor, parent: number): YamlNode | undefined {
  switch (next(cursor)) {
    case code.brace:
    case code.bracket: {
      const node = readFlow(cursor, parent);
      return node !== undefined && finishLine(cursor) ? node : undefined;
    }
    case code.bar:
    case code.greater:
      return readBlockScalar(cursor, parent);
    default: {
      const scalar = readScalar(cursor, false);
      return scalar && finishScalar(cursor, scalar, parent);
    }
  }
}

/** An unquoted text continues over the following indented lines, and is folded into one line. */
function finishScalar(cursor: YamlCursor, scalar: ScalarNode, parent: number): ScalarNode | undefined {
  const { text } = cursor;
  let { text: folded, end } = scalar;
  while (true) {
    if (!isLineOver(cursor)) return undefined;
    const isCommented = next(cursor) === code.hash;
    skipLine(cursor);
    cursor.readUntil = cursor.at;
    if (isCommented || !scalar.plain || isLineOver(cursor) || columnOf(cursor) <= parent) break;
    const start = cursor.at;
    const lineEnd = endOfPlain(text, start, false);
    if (lineEnd === undefined || lineEnd === start) return undefined;
    end = lineEnd;
    folded += ` ${text.slice(start, end)}`;
    cursor.at = end;
  }
  skipLines(cursor);
  return end === scalar.end ? scalar : { ...scalar, text: folded, end };
}

function finishLine(cursor: YamlCursor): boolean {
  if (!isLineOver(cursor)) return false;
  skipLine(cursor);
  cursor.readUntil = cursor.at;
  skipLines(cursor);
  return true;
}

function isHyphen(cursor: YamlCursor): boolean {
  return next(cursor) === code.hyphen && isSpace(cursor.text, cursor.at + 1);
}

const header = /[|>](-?)(?=[ \n])/y;

/**
 * The lines below a `|` or `>`; undefined if their indentation is uneven, or there are blank lines among folded ones.
 */
function readBlockScalar(cursor: YamlCursor, parent: number): ScalarNode | undefined {
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
