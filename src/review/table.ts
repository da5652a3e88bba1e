import { displayWidth } from '../lib/display-width.ts';
import { tellApart } from './tell-apart.ts';

/**
 * How a column gives way on a narrow terminal: `fixed` never; `name` is shortened, so that names which differ look different; `extra` is left
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
/** A name or a place wider than this does not make its whole column wide, where that would cost the others room. */
const roomy = 48;

/** Aligns rows of cells; every row has a cell for each column. */
export function layOut(rows: readonly (readonly Cell[])[], layout: TableLayout): readonly string[] {
  const widths = columnWidths(rows, layout);
  const fit = layout.width === null ? asItIs : fitNames(rows, layout, widths);
  return rows.map((row) => {
    const cells = row.flatMap((cell, index) => paintCell(cell, widths[index] as number, fit));
    return `${' '.repeat(layout.indent)}${cells.join(gap)}`.trimEnd();
  });
}

type Fit = (text: string, width: number) => string;

const asItIs: Fit = (text) => text;

/** Names of all columns together, as a rename shows the old one and the new one side by side. */
function fitNames(
  rows: readonly (readonly Cell[])[],
  { columns }: TableLayout,
  widths: readonly number[],
): Fit {
  const names = columns.flatMap((kind, index) => (kind === 'name' ? [index] : []));
  return tellApart(
    rows.flatMap((row) =>
      names.map((index) => ({ text: (row[index] as Cell).text, width: widths[index] as number })),
    ),
  );
}

function columnWidths(rows: readonly (readonly Cell[])[], layout: TableLayout): readonly number[] {
  const natural = layout.columns.map((_, index) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth((row[index] as Cell).text)), 0),
  );
  if (layout.width !== null && total(natural, layout.indent) <= layout.width) return natural;
  const widths = natural.map((width, index) =>
    layout.columns[index] === 'fixed' ? width : Math.min(width, roomy),
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
  while (surplus < 0) {
    const poorest = narrowestName(widths, natural, layout.columns);
    if (poorest === undefined) break;
    widths[poorest] = (widths[poorest] as number) + 1;
    surplus += 1;
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

/** Of those that would be wider. */
function narrowestName(
  widths: readonly number[],
  natural: readonly number[],
  columns: readonly ColumnKind[],
): number | undefined {
  let narrowest: number | undefined;
  for (const [index, kind] of columns.entries()) {
    const width = widths[index] as number;
    if (kind !== 'name' || width >= (natural[index] as number)) continue;
    if (narrowest === undefined || width < (widths[narrowest] as number)) narrowest = index;
  }
  return narrowest;
}

function total(widths: readonly number[], indent: number): number {
  const shown = widths.filter((width) => width > 0);
  return indent + shown.reduce((sum, width) => sum + width, 0) + Math.max(0, shown.length - 1) * gap.length;
}

function paintCell(cell: Cell, width: number, fit: Fit): readonly string[] {
  if (width === 0) return [];
  const text = fit(cell.text, width);
  const painted = text === '' || cell.paint === undefined ? text : cell.paint(text);
  return [painted + ' '.repeat(Math.max(0, width - displayWidth(text)))];
}
