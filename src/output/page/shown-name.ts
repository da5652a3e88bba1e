import { printable } from '../../core/lib/printable.ts';
import { shorten } from '../review/shorten.ts';
import { type Html, html } from './markup.ts';
import { hasEdges } from './name-text.ts';
import type { ShownName } from './page-data.ts';

const widest = 64;
/** Combining marks take no width, and a name may have thousands of them. */
const longest = 160;

/** A name as the page shows it: printable, with its full text in addition to the short one if it is cut. */
export function toShownName(name: string | null): ShownName {
  if (name === null) return null;
  const full = printable(name);
  const narrow = shorten(full, widest);
  const short = narrow.length <= longest ? narrow : `${Array.from(narrow).slice(0, widest).join('')}…`;
  return short === full ? full : [short, full];
}

/** A cut name that can be unfolded. Its twin in the browser is `browser/name-element.ts`. */
export function nameHtml(name: string | null): Html {
  const shown = toShownName(name);
  if (shown === null || typeof shown === 'string') return shortNameHtml(name);
  const [short, full] = shown;
  return html`<details class="long"><summary><bdi class="name">${short}</bdi></summary><bdi class="name full" tabindex="0">${full}</bdi></details>`;
}

/** A name on one line, for example in a title. */
export function shortNameHtml(name: string | null): Html {
  const shown = toShownName(name);
  if (shown === null) return html`<span class="none">(no name)</span>`;
  if (shown === '') return html`<span class="none">(empty name)</span>`;
  if (typeof shown !== 'string') return html`<bdi class="name" title="${shown[1]}">${shown[0]}</bdi>`;
  return hasEdges(shown)
    ? html`<bdi class="name edges" title="starts or ends with white space">${shown}</bdi>`
    : html`<bdi class="name">${shown}</bdi>`;
}
