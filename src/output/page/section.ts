import { type Html, html, nothing } from './markup.ts';

export interface SectionOptions {
  readonly id: string;
  readonly title: string;
  /** Information about the section as a whole. */
  readonly lead?: Html;
}

/** A part of the page with a title, which the menu links to. */
export interface Section extends SectionOptions {
  readonly content: Html;
}

export function sectionHtml({ id, title, lead, content }: Section): Html {
  const intro = lead === undefined ? nothing : html`<p class="lead">${lead}</p>\n`;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${intro}${content}
</section>
`;
}

export interface FoldOptions {
  readonly title: Html;
  readonly content: Html;
  readonly open: boolean;
  readonly tone?: string;
}

/** A part that can be folded. Printing unfolds all of them except groups. */
export function foldHtml({ title, content, open, tone = '' }: FoldOptions): Html {
  const state = open ? html` open` : nothing;
  return html`<details class="fold ${tone}"${state}>
<summary>${title}</summary>
${content}
</details>
`;
}
