import type { RowColumns } from '../../core/columns/table/row-columns.ts';
import { countWhile } from '../../core/lib/binary-search.ts';
import { once } from '../../core/lib/once.ts';
import { withoutSecretValues } from '../../core/lib/typed-secrets.ts';
import type { FilePosition, Place } from '../../core/problem/problem.ts';

/** A part of a source file: offsets in UTF-16 units, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text of one file, and the start of each line. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** The place where a span begins, with its source line; the width ends with the line. */
  placeOf(span: Span): Place;
  /** The same without the source line. */
  positionOf(span: Span): FilePosition;
}

/** A longer line is shown in part, with this many characters before the place. */
const shownLength = 240;
const shownBefore = 60;

/** A text that also finds its lines. */
export interface LinedText extends SourceText {
  /** The offset of a line, counted from 1; the end of the text if it has fewer lines. */
  startOfLine(line: number): number;
}

export function sourceText(file: string, text: string): LinedText {
  const starts = once(() => lineStarts(text));
  const lineOf = (span: Span): Line => {
    const index = lineIndexOf(starts(), Math.min(span.start, text.length));
    return { number: index + 1, start: starts()[index] as number, next: starts()[index + 1] };
  };
  return {
    file,
    text,
    startOfLine: (line) => starts()[line - 1] ?? text.length,
    placeOf: (span) => placeInLine({ file, text }, span, lineOf(span)),
    positionOf(span) {
      const { number, start } = lineOf(span);
      return { file, line: number, col: Math.min(span.start, text.length) - start + 1 };
    },
  };
}

interface Line {
  /** The line number, from 1. */
  readonly number: number;
  readonly start: number;
  /** The start of the next line; undefined for the last line. */
  readonly next: number | undefined;
}

/** The place of a span that is known to begin in this line. */
function placeInLine(
  { file, text }: Pick<SourceText, 'file' | 'text'>,
  span: Span,
  { number: line, start, next }: Line,
): Place {
  const at = Math.min(span.start, text.length);
  const until = endOfLine(text, next);
  const width = Math.max(1, Math.min(span.end, until) - at);
  const col = at - start + 1;
  if (until - start <= shownLength)
    return { file, line, col, width, text: withoutSecretValues(text.slice(start, until)) };
  const first = wholeCharacter(text, Math.max(start, at - shownBefore));
  const last = wholeCharacter(text, Math.min(until, first + shownLength));
  // A value that begins before the part that is shown may be secret, too.
  const from = Math.max(start, first - shownLength);
  const shown = withoutSecretValues(text.slice(from, last)).slice(first - from);
  return { file, line, col, width, text: shown, textCol: first - start + 1 };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last line that begins at or before the offset. */
function lineIndexOf(starts: readonly number[], offset: number): number {
  return Math.max(0, countWhile(starts.length, (at) => (starts[at] as number) <= offset) - 1);
}

function endOfLine(text: string, nextStart: number | undefined): number {
  const end = nextStart === undefined ? text.length : nextStart - 1;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** Moves an offset out of the middle of a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}

/**
 * A YAML file as a tree with positions, independent of the parser. Scalars keep their text, so that integers of any
 * size stay exact; `scalar-kind.ts` determines the meaning of a plain one.
 */
export type YamlNode = ScalarNode | SequenceNode | MappingNode;

export interface ScalarNode extends Span {
  readonly kind: 'scalar';
  readonly text: string;
  /** False in quotation marks or as a block scalar, which are always text. */
  readonly plain: boolean;
}

export interface SequenceNode extends Span {
  readonly kind: 'sequence';
  readonly items: readonly YamlNode[];
  /** The same items, if many of them are plain entries: then `items` is made on first use. */
  readonly rows?: ListRows;
}

/** A list whose plain items stay in the text. */
export interface ListRows {
  readonly columns: RowColumns;
  /** The items that are not plain, in order. */
  readonly others: readonly YamlNode[];
}

export interface MappingNode extends Span {
  readonly kind: 'mapping';
  readonly members: readonly Member[];
}

/** Keys that are repeated in the file are repeated here. */
export interface Member {
  readonly key: ScalarNode;
  readonly value: YamlNode;
}
