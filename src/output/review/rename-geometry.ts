import type { NameRow, RenameGraph } from './rename-graph.ts';

/** The height of a row in pixels. The style sheets have the same value. */
const rowHeight = 48;
const laneWidth = 18;
const left = 24;
export const dotRadius = 5;
/** The horizontal position of the line that closes a cycle. */
const loopX = 8;
const bend = 10;

/** A line of the drawing. `loop` closes a cycle, `tail` continues below the last row, `tip` is the head of an arrow. */
export interface RailLine {
  readonly kind: 'rail' | 'tip' | 'loop' | 'tail';
  /** Is the rename a temporary one? Such lines are dashed. */
  readonly isTemporary: boolean;
  /** The path, as in the `d` attribute of SVG. */
  readonly path: string;
}

export interface RailDot {
  readonly kind: 'deleted' | 'between' | 'end';
  readonly x: number;
  readonly y: number;
}

/** The drawing next to a list of names, in pixels: a dot for each name, a line for each rename, a loop for a cycle. */
export interface Rails {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly RailLine[];
  readonly dots: readonly RailDot[];
}

/** Computes the drawing once for the HTML report and the console. */
export function railsOf(graph: RenameGraph): Rails {
  const { rows, hidden, cyclic } = graph;
  const lanes = Math.max(0, ...rows.map((row) => row.lane));
  return {
    width: left + lanes * laneWidth + 16,
    height: (rows.length + (hidden > 0 ? 1 : 0)) * rowHeight,
    lines: [
      ...rows.flatMap((row, index) => linesOf(row, index, rows)),
      ...(hidden > 0 ? tailOf(rows, cyclic) : []),
    ],
    dots: rows.map((row, index) => dotOf(row, index, graph)),
  };
}

const xOf = ({ lane }: NameRow): number => left + lane * laneWidth;
const yOf = (index: number): number => index * rowHeight + 20;

function linesOf(row: NameRow, index: number, rows: readonly NameRow[]): readonly RailLine[] {
  const { from, again, host } = row;
  if (from === undefined) return [];
  const parent = rows[from] as NameRow;
  const [x0, y0, x, y] = [xOf(parent), yOf(from), xOf(row), yOf(index)];
  const end = y - dotRadius - 3;
  const way =
    x === x0
      ? `M${x} ${y0}V${end}`
      : `M${x0} ${y0}C${x0} ${y0 + rowHeight / 2} ${x} ${y0 + 8} ${x} ${y0 + rowHeight / 2 + 8}V${end}`;
  const isTemporary = host?.temporaryRename !== 'no';
  return [
    { kind: 'rail', isTemporary, path: way },
    { kind: 'tip', isTemporary, path: `M${x - 4} ${end - 4}L${x} ${end + 1}L${x + 4} ${end - 4}` },
    ...(again === undefined ? [] : loopOf(x, y, yOf(again), xOf(rows[again] as NameRow))),
  ];
}

/** A line from a point below, along the left, up to the dot of a name. */
function loopOf(x: number, y: number, top: number, targetX: number): readonly RailLine[] {
  const end = targetX - dotRadius - 3;
  const path = `M${x} ${y}H${loopX + bend}Q${loopX} ${y} ${loopX} ${y - bend}V${top + bend}Q${loopX} ${top} ${loopX + bend} ${top}H${end}`;
  return [
    { kind: 'loop', isTemporary: false, path },
    {
      kind: 'tip',
      isTemporary: false,
      path: `M${end - 4} ${top - 4}L${end + 1} ${top}L${end - 4} ${top + 4}`,
    },
  ];
}

/** Lines that continue below the last drawn row, and back to the first one in a cycle. */
function tailOf(rows: readonly NameRow[], cyclic: boolean): readonly RailLine[] {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [];
  const y = yOf(rows.length - 1);
  return [
    { kind: 'tail', isTemporary: false, path: `M${xOf(last)} ${y + dotRadius}V${y + rowHeight}` },
    ...(cyclic ? loopOf(xOf(last), y + rowHeight, yOf(0), xOf(first)) : []),
  ];
}

function dotOf(row: NameRow, index: number, { rows, hidden }: RenameGraph): RailDot {
  const goes = rows.some((each) => each.from === index) || (hidden > 0 && index === rows.length - 1);
  const kind =
    row.host?.temporaryRename === 'deletion'
      ? 'deleted'
      : row.again !== undefined || goes
        ? 'between'
        : 'end';
  return { kind, x: xOf(row), y: yOf(index) };
}
