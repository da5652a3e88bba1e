import { type Html, html } from './markup.ts';
import { dotRadius, type RailLine, railsOf } from './rename-geometry.ts';
import type { RenameGraph } from './rename-graph.ts';

const classes = { rail: 'rail', tip: 'tip', loop: 'rail loop', tail: 'rail tail' } as const;

/** The drawing next to a list of names as SVG. The list says the same in words, so readers of a screen skip it. */
export function railsHtml(graph: RenameGraph): Html {
  const { width, height, lines, dots } = railsOf(graph);
  return html`<svg class="rails" aria-hidden="true" focusable="false" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${lines.map(lineHtml)}${dots.map(({ kind, x, y }) => html`<circle class="dot ${kind}" cx="${x}" cy="${y}" r="${dotRadius}"/>\n`)}</svg>
`;
}

function lineHtml({ kind, isTemporary, path }: RailLine): Html {
  return html`<path class="${classes[kind]}${isTemporary ? ' temporary-rename' : ''}" d="${path}"/>\n`;
}
