import type { IntendedChange } from '../../core/plan/types/comparison.ts';
import { changeVerbs, comparisonLine, comparisonParts } from '../review/comparison.ts';
import type { PlanRows } from '../review/rows.ts';
import { type Html, html, nothing } from './markup.ts';
import { foldHtml, type Section } from './section.ts';
import { nameHtml } from './shown-name.ts';
import { figure } from './words.ts';

/** Lists with at most this many changes are unfolded. */
const mostUnfolded = 25;

/** The changes of a pull request apart from those that were already pending, if the plan was compared with a base. */
export function comparisonSection({ plan: { comparison } }: PlanRows): readonly Section[] {
  if (comparison === undefined) return [];
  const parts = comparisonParts(comparison).map(({ title, changes }) =>
    foldHtml({
      title: html`${title} <span class="dim">${figure(changes.length)}</span>`,
      content: html`<ul class="hosts">\n${changes.map(changeHtml)}</ul>`,
      open: changes.length <= mostUnfolded,
    }),
  );
  return [
    {
      id: 'comparison',
      title: 'Changes of this pull request',
      lead: html`${comparisonLine(comparison, comparison.base)}`,
      content: html`${parts}`,
    },
  ];
}

function changeHtml({ kind, hostId, name, to }: IntendedChange): Html {
  return html`<li>${changeVerbs[kind]} ${nameHtml(name)}${target(kind, to)} <span class="dim id">${hostId}</span></li>
`;
}

function target(kind: IntendedChange['kind'], to: string | null): Html {
  if (kind === 'move' && to === null) return html` → no group`;
  return kind === 'rename' || kind === 'move' ? html` → ${nameHtml(to)}` : nothing;
}
