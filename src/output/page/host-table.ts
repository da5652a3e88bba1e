import type { RenameRow } from '../review/rename-rows.ts';
import type { HostRow } from '../review/rows.ts';
import { remarkTitles } from './change-words.ts';
import { type Html, html, nothing } from './markup.ts';
import { shortText } from './name-text.ts';
import type { ShownName } from './page-data.ts';
import { nameHtml } from './shown-name.ts';
import { sourceHtml } from './words.ts';

export interface HostTableOptions {
  readonly caption: string;
  readonly groups: Readonly<Record<string, ShownName>>;
}

/** Hosts with details that the main table shows only with JavaScript. */
export function hostTable(rows: readonly (HostRow | RenameRow)[], options: HostTableOptions): Html {
  const { caption, groups } = options;
  const lines = rows.map((row) => {
    const name = 'from' in row ? html`${nameHtml(row.from)} → ${nameHtml(row.to)}` : nameHtml(row.name);
    const online = row.hazards.includes('online')
      ? html` <span class="tag remark">${remarkTitles.online}</span>`
      : nothing;
    return html`<tr><th scope="row" data-label="Host">${name}${online}</th><td class="id" data-label="Id">${row.hostId}</td><td data-label="Group"><bdi>${shortText(groups[row.expects.groupId] ?? null)}</bdi></td><td data-label="Requested by">${sourceHtml(row.reason)}</td></tr>
`;
  });
  return html`<div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Host</th><th scope="col" class="id">Id</th><th scope="col">Group now</th><th scope="col">Requested by</th></tr></thead>
<tbody>
${lines}</tbody>
</table>
</div>`;
}
