import { displayWidth } from '../../core/lib/display-width.ts';
import type { Color } from './color.ts';
import { distinguish } from './distinguish.ts';
import { shownName } from './step-title.ts';

/**
 * How a column shrinks on a narrow terminal: `fixed` never; `name` is shortened, so that different names look
 * different; `extra` is left out, or replaced by its short texts, before any name is shortened; `note`, a last column
 * that is often empty, then gets a separate line in the rows that have one.
 */
export type ColumnKind = 'fixed' | 'name' | 'extra' | 'note';

export interface Cell {
  /** Safe to print, without color. */
  readonly text: string;
  /** What an `extra` column keeps on a narrow terminal; nothing if absent. */
  readonly short?: string | undefined;
  readonly paint?: (text: string) => string;
}

/** The name of a host or a group. */
export function nameCell(name: string | null, color: Color): Cell {
  return name === null ? { text: shownName(name), paint: color.dim } : { text: shownName(name) };
}

export interface TableLayout {
  readonly columns: readonly ColumnKind[];
  readonly indent: number;
  /** The width of the terminal in columns; null for no limit. */
  readonly width: number | null;
}

const gap = '  ';
/** Below the name that follows the mark of a row. */
const noteIndent = '   ';
const shortestName = 8;
/** If room is scarce, a name or place wider than this does not widen its whole column. */
const roomy = 48;

/** Aligns rows of cells. Every row must have a cell for each column. */
export function layOut(rows: readonly (readonly Cell[])[], layout: TableLayout): readonly string[] {
  const sizes = rows.map((row) => row.map(({ text }) => displayWidth(text)));
  const shortest = layout.columns.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column]?.short ?? '')), 0),
  );
  const widths = columnWidths(sizes, shortest, layout);
  const fit = layout.width === null ? asItIs : fitNames(rows, sizes, { ...layout, widths });
  const indent = ' '.repeat(layout.indent);
  return rows.map((row, index) => {
    const cells = row.flatMap((cell, column) => {
      const width = widths[column] as number;
      const short = layout.width === null ? undefined : cell.short;
      return width === 0
        ? []
        : paintCell({ ...cell, short }, sizes[index]?.[column] as number, { width, fit });
    });
    const line = `${indent}${cells.join(gap)}`.trimEnd();
    const note = row.at(-1) as Cell;
    const isApart = layout.columns.at(-1) === 'note' && widths.at(-1) === 0 && note.text !== '';
    return isApart ? `${line}\n${indent}${noteIndent}${note.paint?.(note.text) ?? note.text}` : line;
  });
}

type Fit = (text: string, width: number) => string;

const asItIs: Fit = (text) => text;

/** The width of each text in cells, by row and column. */
type Sizes = readonly (readonly number[])[];

/** Fits the names of all columns together, because a rename shows the old and the new name next to each other. */
function fitNames(
  rows: readonly (readonly Cell[])[],
  sizes: Sizes,
  { columns, widths }: TableLayout & { readonly widths: readonly number[] },
): Fit {
  const names = columns.flatMap((kind, column) =>
    kind === 'name' ? [{ column, width: widths[column] as number }] : [],
  );
  const isCut = sizes.some((row) => names.some(({ column, width }) => (row[column] as number) > width));
  if (!isCut) return asItIs;
  return distinguish(
    rows.flatMap((row) => names.map(({ column, width }) => ({ text: (row[column] as Cell).text, width }))),
  );
}

function columnWidths(sizes: Sizes, shortest: readonly number[], layout: TableLayout): readonly number[] {
  const natural = layout.columns.map((_, column) =>
    sizes.reduce((widest, row) => Math.max(widest, row[column] as number), 0),
  );
  if (layout.width !== null && total(natural, layout.indent) <= layout.width) return natural;
  const widths = natural.map((width, index) =>
    layout.columns[index] === 'fixed' || layout.columns[index] === 'note' ? width : Math.min(width, roomy),
  );
  if (layout.width === null) return widths;
  let surplus = total(widths, layout.indent) - layout.width;
  for (const [index, kind] of layout.columns.entries()) {
    const width = widths[index] as number;
    const mayGo = kind === 'extra' || kind === 'note';
    if (surplus <= 0 || !mayGo || width === 0) continue;
    const kept = Math.min(width, shortest[index] as number);
    widths[index] = kept;
    surplus -= width - kept + (kept === 0 ? gap.length : 0);
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

/** The index of the narrowest name column that is below its natural width. */
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

function paintCell(
  { text, short, paint }: Cell,
  size: number,
  { width, fit }: { readonly width: number; readonly fit: Fit },
): string {
  const fitted = size <= width ? text : (short ?? fit(text, width));
  const painted = fitted === '' || paint === undefined ? fitted : paint(fitted);
  return padded(painted, width - (fitted === text ? size : displayWidth(fitted)));
}

function padded(text: string, blanks: number): string {
  return blanks > 0 ? text + ' '.repeat(blanks) : text;
}
