import { type Html, html, nothing } from './markup.ts';
import type { NameRow, RenameGraph } from './rename-graph.ts';

/** The height of a row in pixels. The style sheet has the same value. */
const rowHeight = 48;
const laneWidth = 18;
const left = 24;
const dot = 5;
/** The horizontal position of the line that closes a cycle. */
const loopX = 8;
const bend = 10;

/** The drawing next to a list of names: a dot for each name, a line for each rename, a loop for a cycle. */
export function railsHtml(graph: RenameGraph): Html {
  const { rows, hidden, cyclic } = graph;
  const lanes = Math.max(0, ...rows.map((row) => row.lane));
  const width = left + lanes * laneWidth + 16;
  const height = (rows.length + (hidden > 0 ? 1 : 0)) * rowHeight;
  const lines = rows.map((row, index) => lineHtml(row, index, rows));
  const tail = hidden > 0 ? tailHtml(rows, cyclic) : nothing;
  const dots = rows.map((row, index) => dotHtml(row, index, graph));
  return html`<svg class="rails" aria-hidden="true" focusable="false" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${lines}${tail}${dots}</svg>
`;
}

const xOf = ({ lane }: NameRow): number => left + lane * laneWidth;
const yOf = (index: number): number => index * rowHeight + 20;

function lineHtml(row: NameRow, index: number, rows: readonly NameRow[]): Html {
  const { from, again, host } = row;
  if (from === undefined) return nothing;
  const parent = rows[from] as NameRow;
  const [x0, y0, x, y] = [xOf(parent), yOf(from), xOf(row), yOf(index)];
  const end = y - dot - 3;
  const way =
    x === x0
      ? `M${x} ${y0}V${end}`
      : `M${x0} ${y0}C${x0} ${y0 + rowHeight / 2} ${x} ${y0 + 8} ${x} ${y0 + rowHeight / 2 + 8}V${end}`;
  const loop = again === undefined ? nothing : loopHtml(x, y, yOf(again), xOf(rows[again] as NameRow));
  const dashed = host?.temporaryRename === 'no' ? '' : ' temporary-rename';
  return html`<path class="rail${dashed}" d="${way}"/><path class="tip${dashed}" d="M${x - 4} ${end - 4}L${x} ${end + 1}L${x + 4} ${end - 4}"/>
${loop}`;
}

/** A line from a point below, along the left, up to the dot of a name. */
function loopHtml(x: number, y: number, top: number, targetX: number): Html {
  const end = targetX - dot - 3;
  const way = `M${x} ${y}H${loopX + bend}Q${loopX} ${y} ${loopX} ${y - bend}V${top + bend}Q${loopX} ${top} ${loopX + bend} ${top}H${end}`;
  return html`<path class="rail loop" d="${way}"/><path class="tip" d="M${end - 4} ${top - 4}L${end + 1} ${top}L${end - 4} ${top + 4}"/>
`;
}

/** Lines that continue below the last drawn row, and back to the first one in a cycle. */
function tailHtml(rows: readonly NameRow[], cyclic: boolean): Html {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return nothing;
  const y = yOf(rows.length - 1);
  const loop = cyclic ? loopHtml(xOf(last), y + rowHeight, yOf(0), xOf(first)) : nothing;
  return html`<path class="rail tail" d="M${xOf(last)} ${y + dot}V${y + rowHeight}"/>
${loop}`;
}

function dotHtml(row: NameRow, index: number, { rows, hidden }: RenameGraph): Html {
  const goes = rows.some((each) => each.from === index) || (hidden > 0 && index === rows.length - 1);
  const kind =
    row.host?.temporaryRename === 'deletion'
      ? 'deleted'
      : row.again !== undefined || goes
        ? 'between'
        : 'end';
  return html`<circle class="dot ${kind}" cx="${xOf(row)}" cy="${yOf(index)}" r="${dot}"/>
`;
}
