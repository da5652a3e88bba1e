import { dotRadius, type RailLine, railsOf } from '../review/rename-geometry.ts';
import { type NameRow, type RenameGraph, renameGraph } from '../review/rename-graph.ts';
import type { RenameComponent, RenameRow } from '../review/rename-rows.ts';
import { renameRemark } from '../review/rename-words.ts';
import type { PlanRows } from '../review/rows.ts';
import { type Html, html, nothing } from './markup.ts';
import type { Section } from './section.ts';
import { shortNameHtml } from './shown-name.ts';
import { counted, figure } from './words.ts';

const mostDrawn = 24;
const mostRows = 12;

/** Draws renames that wait for one another, largest component first. */
export function chainsSection({ renames }: PlanRows): readonly Section[] {
  const numbers = { chain: 0, swap: 0, cycle: 0, single: 0 };
  const joined = renames
    .filter((each) => each.shape !== 'single')
    .map((component) => {
      numbers[component.shape] += 1;
      return { component, number: numbers[component.shape] };
    });
  if (joined.length === 0) return [];
  const drawn = joined.sort((a, b) => b.component.rows.length - a.component.rows.length).slice(0, mostDrawn);
  const left = joined.length - drawn.length;
  const more =
    left === 0 ? nothing : html`<p class="more">and ${figure(left)} more: the table shows the rest.</p>`;
  const content = html`<ul class="cards">
${drawn.map(({ component, number }) => cardHtml(component, number))}</ul>
${more}`;
  const lead = html`Two hosts can't have the same name, not even for a moment: each rename waits until the name is free. The steps of one drawing happen in the order of their numbers.`;
  return [{ id: 'chains', title: 'Chains and cycles', lead, content }];
}

function cardHtml(component: RenameComponent, number: number): Html {
  const graph = renameGraph(component, mostRows);
  const { shape, rows } = component;
  const more =
    graph.hidden === 0
      ? nothing
      : html`<li class="more">and ${counted(graph.hidden, 'more rename')}${graph.cyclic ? ', back to the first name' : ''}</li>\n`;
  return html`<li class="card">
<h3>${title[shape]} ${number} <span class="dim">${counted(rows.length, 'host')}</span></h3>
<div class="drawing">
${railsHtml(graph)}<ol>
${graph.rows.map((row) => rowHtml(row, graph))}${more}</ol>
</div>
</li>
`;
}

const title = { single: 'Rename', chain: 'Chain', swap: 'Swap', cycle: 'Cycle' } as const;

function rowHtml(row: NameRow<RenameRow>, { rows, cyclic }: RenameGraph<RenameRow>): Html {
  const { name, host, order, again } = row;
  const back = again === undefined ? nothing : html`<span class="dim">back to</span> `;
  if (host === undefined) {
    const words = cyclic && row === rows[0] ? 'the cycle starts here' : 'becomes free';
    return html`<li><span class="label">${shortNameHtml(name)}</span> <span class="by">${words}</span></li>\n`;
  }
  const remark = renameRemark(host);
  const by = `step ${order}: host ${host.hostId}${remark === '' ? '' : `, ${remark}`}`;
  return html`<li><span class="label">${back}${shortNameHtml(name)}</span> <span class="by">${by}</span></li>\n`;
}

const railClasses = { rail: 'rail', tip: 'tip', loop: 'rail loop', tail: 'rail tail' } as const;

/** The drawing next to a list of names as SVG. The list says the same in words, so readers of a screen skip it. */
function railsHtml(graph: RenameGraph): Html {
  const { width, height, lines, dots } = railsOf(graph);
  return html`<svg class="rails" aria-hidden="true" focusable="false" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
${lines.map(lineHtml)}${dots.map(({ kind, x, y }) => html`<circle class="dot ${kind}" cx="${x}" cy="${y}" r="${dotRadius}"/>\n`)}</svg>
`;
}

function lineHtml({ kind, isTemporary, path }: RailLine): Html {
  return html`<path class="${railClasses[kind]}${isTemporary ? ' temporary-rename' : ''}" d="${path}"/>\n`;
}
