import type { Place } from '../../problem/place.ts';

/** A part of a source file: offsets in UTF-16 units, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text of one file, and where its lines begin. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** Where a span begins, with its source line; the width ends with the line. */
  placeOf(span: Span): Place;
}

/** A longer line is shown in part, with this many characters before the place. */
const shownLength = 240;
const shownBefore = 60;

export function sourceText(file: string, text: string): SourceText {
  let starts: readonly number[] | undefined;
  return {
    file,
    text,
    placeOf(span) {
      starts ??= lineStarts(text);
      const at = Math.min(span.start, text.length);
      const index = lineIndexOf(starts, at);
      const from = starts[index] as number;
      const until = endOfLine(text, starts[index + 1]);
      const width = Math.max(1, Math.min(span.end, until) - at);
      const place = { file, line: index + 1, col: at - from + 1, width };
      if (until - from <= shownLength) return { ...place, text: text.slice(from, until) };
      const first = wholeCharacter(text, Math.max(from, at - shownBefore));
      const last = wholeCharacter(text, Math.min(until, first + shownLength));
      return { ...place, text: text.slice(first, last), textCol: first - from + 1 };
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last line that begins at or before the offset. */
function lineIndexOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
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
