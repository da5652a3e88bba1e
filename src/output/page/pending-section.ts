import { pendingCount, pendingMeaning, pendingStates, requestWords } from '../review/pending-words.ts';
import type { PlanRows } from '../review/rows.ts';
import { groupNames } from './groups.ts';
import { hostTable } from './host-table.ts';
import { type Html, html } from './markup.ts';
import { foldHtml, type Section } from './section.ts';
import { nameHtml } from './shown-name.ts';
import { counted } from './words.ts';

/** Lists with at most this many hosts are unfolded. */
const mostUnfolded = 25;

/** Installs that no read shows yet, and the hosts that are asked to report. */
export function pendingSection(rows: PlanRows): readonly Section[] {
  const { pendingInstalls } = rows.plan;
  const refresh = `Refresh the anti-virus status of ${counted(rows.refreshes.length, 'host')}`;
  const blocks: readonly Html[] = [
    ...pendingStates.flatMap((state) => {
      const installs = pendingInstalls.filter((each) => each.state === state);
      if (installs.length === 0) return [];
      const caption = `${pendingCount(installs.length, state)}: ${pendingMeaning[state]}`;
      const lines = installs.map(
        (
          each,
        ) => html`<tr><th scope="row" data-label="Host">${nameHtml(each.name)}</th><td class="id" data-label="Id">${each.hostId}</td><td data-label="Request">${requestWords(each)}</td></tr>
`,
      );
      return [
        foldHtml({
          title: html`${caption}`,
          content: html`<div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">Host</th><th scope="col" class="id">Id</th><th scope="col">Request</th></tr></thead>
<tbody>
${lines}</tbody>
</table>
</div>`,
          open: installs.length <= mostUnfolded,
          tone: state === 'in-doubt' ? 'warning' : 'antivirus',
        }),
      ];
    }),
    ...(rows.refreshes.length === 0
      ? []
      : [
          foldHtml({
            title: html`${refresh}`,
            content: hostTable(rows.refreshes, { caption: refresh, groups: groupNames(rows) }),
            open: rows.refreshes.length <= mostUnfolded,
            tone: 'antivirus',
          }),
        ]),
  ];
  return blocks.length === 0
    ? []
    : [{ id: 'pending', title: 'Installs that no read shows yet', content: html`${blocks}` }];
}
