import type { MappingNode, Member, SequenceNode, YamlNode } from '../sources/source-text.ts';
import { code, columnOf, isLineOver, next, skipLines, type YamlCursor } from './cursor.ts';
import { readColon, readScalar } from './fast-scalar.ts';

/** The maximum nesting depth of brackets; the full reader explains deeper nesting. */
const maxDepth = 20;

/**
 * A list or mapping in brackets or braces; undefined for anything that the fast reader does not read. All lines must be
 * indented more than `parent`.
 */
export function readFlow(cursor: YamlCursor, parent: number, depth = 0): YamlNode | undefined {
  if (depth > maxDepth) return undefined;
  const isMapping = next(cursor) === code.brace;
  const start = cursor.at;
  cursor.at += 1;
  return isMapping
    ? readFlowMapping(cursor, start, parent, depth)
    : readFlowSequence(cursor, start, parent, depth);
}

function readFlowSequence(
  cursor: YamlCursor,
  start: number,
  parent: number,
  depth: number,
): SequenceNode | undefined {
  const items: YamlNode[] = [];
  do {
    if (!skipSpace(cursor, parent)) return undefined;
    if (next(cursor) === code.bracketEnd) break;
    const item = readFlowNode(cursor, parent, depth);
    if (item === undefined || !skipSpace(cursor, parent)) return undefined;
    items.push(item);
  } while (skipComma(cursor));
  if (next(cursor) !== code.bracketEnd) return undefined;
  cursor.at += 1;
  return { kind: 'sequence', items, start, end: cursor.at };
}

function readFlowMapping(
  cursor: YamlCursor,
  start: number,
  parent: number,
  depth: number,
): MappingNode | undefined {
  const members: Member[] = [];
  do {
    if (!skipSpace(cursor, parent)) return undefined;
    if (next(cursor) === code.braceEnd) break;
    const key = readScalar(cursor, true);
    if (key === undefined || !readColon(cursor, key, true) || !skipSpace(cursor, parent)) return undefined;
    const value = readFlowNode(cursor, parent, depth);
    if (value === undefined || !skipSpace(cursor, parent)) return undefined;
    members.push({ key, value });
  } while (skipComma(cursor));
  if (next(cursor) !== code.braceEnd) return undefined;
  cursor.at += 1;
  return { kind: 'mapping', members, start, end: cursor.at };
}

function readFlowNode(cursor: YamlCursor, parent: number, depth: number): YamlNode | undefined {
  const first = next(cursor);
  return first === code.brace || first === code.bracket
    ? readFlow(cursor, parent, depth + 1)
    : readScalar(cursor, true);
}

function skipComma(cursor: YamlCursor): boolean {
  if (next(cursor) !== code.comma) return false;
  cursor.at += 1;
  return true;
}

/** Skips blanks, lines and comments; false if the next line is not indented enough. */
function skipSpace(cursor: YamlCursor, parent: number): boolean {
  if (!isLineOver(cursor)) return true;
  skipLines(cursor);
  return columnOf(cursor) > parent;
}
