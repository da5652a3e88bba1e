import { sha256Base64 } from '../../core/lib/hash.ts';
import { once } from '../../core/lib/once.ts';
import type { PlanRows } from '../review/rows.ts';
import { callsSection } from './calls-section.ts';
import { chainsSection } from './chains-section.ts';
import { changesSection } from './changes-section.ts';
import { comparisonSection } from './comparison-section.ts';
import { groupsSection } from './groups-section.ts';
import { irreversibleSection } from './irreversible-section.ts';
import { html } from './markup.ts';
import { pageHead } from './page-head.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { pendingSection } from './pending-section.ts';
import { problemsSection } from './problems-section.ts';
import { type Section, sectionHtml } from './section.ts';
import { tilesHtml } from './tiles.ts';
import { timesSection } from './times-section.ts';

/**
 * The plan as one self-contained HTML file: no network, no other file. The same plan gives the same bytes. Its
 * Content-Security-Policy lets the browser run only this script, use only this style sheet, and load nothing.
 */
export function paintHtml(rows: PlanRows): string {
  const sections = [
    ...irreversibleSection(rows),
    ...comparisonSection(rows),
    ...pendingSection(rows),
    ...problemsSection(rows),
    ...changesSection(rows),
    ...chainsSection(rows),
    ...groupsSection(rows),
    ...callsSection(rows),
    ...timesSection(rows),
  ];
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Rampart plan</title>
<style>${{ markup: pageStyle }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the plan</a>
${pageHead(rows)}<main id="main" tabindex="-1">
<section aria-label="Summary">
${tilesHtml(rows)}</section>
${menu(sections)}${sections.map(sectionHtml)}</main>
<script type="module">${{ markup: pageScript }}</script>
</body>
</html>
`.markup;
}

function menu(sections: readonly Section[]) {
  const links = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`);
  return links.length < 2
    ? html``
    : html`<nav class="menu" aria-label="Parts of the plan"><ul>\n${links}</ul></nav>\n`;
}

const policy = once(() =>
  [
    "default-src 'none'",
    `script-src 'sha256-${sha256Base64(pageScript)}'`,
    `style-src 'sha256-${sha256Base64(pageStyle)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
);
