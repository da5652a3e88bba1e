import { count } from '../review/count.ts';
import type { CauseRow, PlansRows } from '../review/plans-rows.ts';
import { causeWords } from '../review/plans-words.ts';
import { type Html, html, nothing } from './markup.ts';
import type { Section } from './section.ts';
import { shortNameHtml } from './shown-name.ts';
import { figure } from './words.ts';

const mostCauses = 100;
const title = 'Rules and lines that change several accounts';

/** What many accounts have in common: one wrong rule changes all of them. */
export function causesSection({ causes }: PlansRows): readonly Section[] {
  if (causes.length === 0) return [];
  const left = causes.length - mostCauses;
  const more =
    left <= 0
      ? nothing
      : html`<p class="more">${count(left, 'more rule or line', 'more rules and lines')}.</p>`;
  return [
    {
      id: 'causes',
      title: 'Causes',
      content: html`<div class="fold"><div class="scroller" role="region" aria-label="${title}" tabindex="0">
<table>
<caption class="unseen">${title}</caption>
<thead><tr><th scope="col">Rule or line</th><th scope="col">Effect</th><th scope="col">Accounts</th></tr></thead>
<tbody>
${causes.slice(0, mostCauses).map(causeHtml)}</tbody>
</table>
</div></div>
${more}`,
    },
  ];
}

function causeHtml({ rule, file, line, changes, accounts }: CauseRow): Html {
  const where =
    line === undefined ? html`${shortNameHtml(file)}, several lines` : html`${shortNameHtml(file)}:${line}`;
  const what =
    rule === undefined ? where : html`rule ${shortNameHtml(rule)} <span class="source">${where}</span>`;
  return html`<tr><th scope="row" data-label="Cause">${what}</th><td data-label="Effect">${causeWords(changes)}</td><td data-label="Accounts">${figure(accounts)}</td></tr>
`;
}
