import { count } from '../review/count.ts';
import type { PlansRows } from '../review/plans-rows.ts';
import {
  accountsLine,
  plansComparison,
  plansRehearsal,
  plansTotalsLine,
  verdicts,
} from '../review/plans-words.ts';
import { accountsSection } from './accounts-section.ts';
import { causesSection } from './causes-section.ts';
import { commonProblemsSection } from './common-problems-section.ts';
import { type Html, html, nothing } from './markup.ts';
import { banner, themeSwitch } from './page-head.ts';
import { pageHtml } from './page-html.ts';
import { accountPlansSection, irreversiblePlansSection } from './plans-sections.ts';
import { type Tile, tileHtml } from './tiles.ts';
import { counted, figure } from './words.ts';

/**
 * The plans of many accounts as one self-contained HTML file. Its size is bounded by the number of accounts, whatever
 * the size of their plans. It has no script.
 */
export function paintPlansHtml(rows: PlansRows): string {
  return pageHtml({
    title: 'Rampart plans',
    skip: 'Skip to the plans',
    head: head(rows),
    summary: html`<dl class="tiles">\n${tiles(rows).map(tileHtml)}</dl>\n`,
    sections: [
      ...accountsSection(rows),
      ...irreversiblePlansSection(rows),
      ...commonProblemsSection(rows),
      ...causesSection(rows),
      ...accountPlansSection(rows),
    ],
  });
}

function head({ review }: PlansRows): Html {
  const lines = verdicts(review).map(({ tone, text }) => banner(tone, html`${text}`));
  const more = [
    plansTotalsLine(review)?.replace(/^Plan: /, ''),
    plansComparison(review),
    plansRehearsal(review),
  ]
    .filter((line) => line !== undefined)
    .map((line) => html`<p class="sum">${line}</p>\n`);
  return html`<header class="top">
<div class="bar"><p class="brand">Rampart</p>
${themeSwitch}</div>
<h1>Plans of ${counted(review.accounts.length, 'account')}</h1>
<p class="sum">${accountsLine(review).replace(/^\d+ accounts?: /, '')}</p>
${more}${lines.length === 0 ? nothing : html`<div class="verdict">\n${lines}</div>\n`}${facts(review)}</header>
`;
}

const mostNames = 10;

function facts({ selector, created_at, totals }: PlansRows['review']): Html {
  const { names, where } = selector;
  const left = names.length - mostNames;
  const items = [
    ...(where === null ? [] : [html`<li><code><bdi>${where}</bdi></code></li>`]),
    ...names.slice(0, mostNames).map((name) => html`<li><bdi>${name}</bdi></li>`),
    ...(left > 0 ? [html`<li>${count(left, 'more account')}</li>`] : []),
  ];
  return html`<dl class="facts">
<div><dt>Accounts</dt><dd>${items.length === 0 ? html`all` : html`<ul class="files">${items}</ul>`}</dd></div>
<div><dt>Fleets</dt><dd>${counted(totals.hosts, 'host')}</dd></div>
<div><dt>Planned at</dt><dd><bdi>${created_at}</bdi></dd></div>
</dl>
`;
}

function tiles({ review, irreversible }: PlansRows): readonly Tile[] {
  const { outcomes, summary, calls } = review.totals;
  const tile = (title: string, number: number, tone: string, note?: string): Tile => ({
    title,
    value: figure(number),
    tone: number === 0 ? 'zero' : tone,
    ...(note === undefined ? {} : { note }),
  });
  const warned = `can't be undone, in ${counted(irreversible.length, 'account')}`;
  return [
    tile('Without a plan', outcomes.failed, 'delete', 'accounts'),
    tile('Refused', outcomes.refused, 'delete', 'accounts'),
    tile('With changes', outcomes.changes, 'calls', 'accounts'),
    tile('Without changes', outcomes['no-changes'], 'quiet', 'accounts'),
    tile('Calls', calls.planned, 'calls', `minimum ${figure(calls.minimum)}`),
    tile('Deletions', summary.delete, 'delete', warned),
    tile('Anti-virus installs', summary.antivirus, 'antivirus', warned),
    tile('Renames', summary.rename, 'rename'),
    tile('Moves', summary.move, 'move'),
    tile('Unchanged hosts', summary.unchanged, 'quiet'),
  ];
}
