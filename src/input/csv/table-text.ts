import type { Place } from '../../core/problem/problem.ts';
import type { SourceText, Span } from '../sources/source-text.ts';
import type { Row } from './split-csv.ts';

/**
 * The text of a table whose positions include the row and the column, as users of spreadsheets expect. `rowOf` returns
 * the row of a span, which begins on the line.
 */
export function tableText(
  source: SourceText,
  header: Row | undefined,
  rowOf: (span: Span, line: number) => Row | undefined,
): SourceText {
  const labels = header?.cells.map((cell) => cell.text) ?? [];
  return {
    ...source,
    placeOf(span) {
      const place = source.placeOf(span);
      const row = rowOf(span, place.line);
      if (row === undefined) return place;
      const column = row.cells.findIndex((cell) => span.start >= cell.start && span.end <= cell.end);
      return placeInTable(place, row.number, labels[column]);
    },
  };
}

/** A place with its row, and its column under the name in the first row, if it has one. */
export function placeInTable(place: Place, row: number, label = ''): Place {
  return { ...place, part: `row ${row}${label === '' ? '' : `, column "${label}"`}` };
}

/** The last row that begins at or before the span. */
export function rowAt(rows: readonly Row[], { start }: Span): Row | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as Row).start <= start) low = middle + 1;
    else high = middle;
  }
  return rows[low - 1];
}
