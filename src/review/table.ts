import { displayWidth } from '../lib/display-width.ts';
import { shorten } from './shorten.ts';

/**
 * How a column gives way on a narrow terminal: `fixed` never; `name` is shortened in the middle; `extra` is left
 * out altogether, before any name is shortened.
 */
export type ColumnKind = 'fixed' | 'name' | 'extra';

export interface Cell {
  /** Safe to print, without colour. */
  readonly text: string;
  readonly paint?: (text: string) => string;
}

export interface TableLayout {
  readonly columns: readonly ColumnKind[];
  readonly indent: number;
  /** Columns of the terminal; null where lines may be of any length. */
  readonly width: number | null;
}

const gap = '  ';
const shortestName = 8;

/** Aligns rows of cells; every row has a cell for each column. */
export function layOut(rows: readonly (readonly Cell[])[], layout: TableLayout): readonly string[] {
  const widths = columnWidths(rows, layout);
  return rows.map((row) => {
    const cells = row.flatMap((cell, index) => paintCell(cell, widths[index] as number));
    return `${' '.repeat(layout.indent)}${cells.join(gap)}`.trimEnd();
  });
}

function columnWidths(rows: readonly (readonly Cell[])[], layout: TableLayout): readonly number[] {
  const widths = layout.columns.map((_, index) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth((row[index] as Cell).text)), 0),
  );
  if (layout.width === null) return widths;
  let surplus = total(widths, layout.indent) - layout.width;
  for (const [index, kind] of layout.columns.entries()) {
    const width = widths[index] as number;
    if (surplus <= 0 || kind !== 'extra' || width === 0) continue;
    widths[index] = 0;
    surplus -= width + gap.length;
  }
  while (surplus > 0) {
    const widest = widestName(widths, layout.columns);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] as number) - 1;
    surplus -= 1;
  }
  return widths;
}

function widestName(widths: readonly number[], columns: readonly ColumnKind[]): number | undefined {
  let widest: number | undefined;
  for (const [index, kind] of columns.entries()) {
    const width = widths[index] as number;
    if (kind !== 'name' || width <= shortestName) continue;
    if (widest === undefined || width > (widths[widest] as number)) widest = index;
  }
  return widest;
}

function total(widths: readonly number[], indent: number): number {
  const shown = widths.filter((width) => width > 0);
  return indent + shown.reduce((sum, width) => sum + width, 0) + Math.max(0, shown.length - 1) * gap.length;
}

function paintCell(cell: Cell, width: number): readonly string[] {
  if (width === 0) return [];
  const text = shorten(cell.text, width);
  const painted = text === '' || cell.paint === undefined ? text : cell.paint(text);
  return [painted + ' '.repeat(Math.max(0, width - displayWidth(text)))];
}
