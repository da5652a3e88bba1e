import { sha256Base64 } from '../../core/lib/hash.ts';
import { memo } from '../../core/lib/memo.ts';
import { type Html, html, nothing } from './markup.ts';
import { pageStyle } from './page-style.ts';
import { type Section, sectionHtml } from './section.ts';

export interface PageParts {
  readonly title: string;
  /** The words of the link to the main part. */
  readonly skip: string;
  readonly head: Html;
  /** The totals at a glance. */
  readonly summary: Html;
  readonly sections: readonly Section[];
  /** Absent if the page works without a script. */
  readonly script?: string;
}

/**
 * One self-contained HTML file: no network, no other file. Its Content-Security-Policy lets the browser run only this
 * script, use only this style sheet, and load nothing.
 */
export function pageHtml({ title, skip, head, summary, sections, script }: PageParts): string {
  const code = script === undefined ? nothing : html`<script type="module">${{ markup: script }}</script>\n`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: pageStyle }}</style>
</head>
<body>
<a class="skip" href="#main">${skip}</a>
${head}<main id="main" tabindex="-1">
<section aria-label="Summary">
${summary}</section>
${menu(sections)}${sections.map(sectionHtml)}</main>
${code}</body>
</html>
`.markup;
}

function menu(sections: readonly Section[]): Html {
  const links = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`);
  return links.length < 2
    ? nothing
    : html`<nav class="menu" aria-label="Parts of the plan"><ul>\n${links}</ul></nav>\n`;
}

const policy = memo((script: string | undefined) =>
  [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src 'sha256-${sha256Base64(script)}'`]),
    `style-src 'sha256-${sha256Base64(pageStyle)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
);
