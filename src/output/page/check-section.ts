import { ungroupedId } from '../../core/model/group.ts';
import { type GroupLabel, type HostChange, hostChanges, needsAttention } from '../review/host-changes.ts';
import { stateText } from '../review/host-state.ts';
import type { PlanRows } from '../review/rows.ts';
import { type Html, html, nothing } from './markup.ts';
import { foldHtml, type Section } from './section.ts';
import { nameHtml, shortNameHtml } from './shown-name.ts';
import { counted, sourceHtml } from './words.ts';

/** Lists with at most this many hosts are unfolded. */
const mostUnfolded = 25;
/** Hosts in the list. A longer one no longer names exceptions. */
const mostHosts = 100;

/** The changes that may be mistakes, with what is unusual about each. */
export function checkSection(rows: PlanRows): readonly Section[] {
  const hosts = hostChanges(rows).filter(needsAttention);
  if (hosts.length === 0) return [];
  const caption = `Check ${counted(hosts.length, 'host')}`;
  const left = hosts.length - mostHosts;
  const more = left <= 0 ? nothing : html`<p class="padded dim">and ${counted(left, 'more host')}</p>\n`;
  const content = html`<div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption class="unseen">${caption}</caption>
<thead><tr>${['Host', 'Id', 'Group now', 'Change', 'State', 'Remark', 'Requested by'].map(headHtml)}</tr></thead>
<tbody>
${hosts.slice(0, mostHosts).map(rowHtml)}</tbody>
</table>
</div>
${more}`;
  const fold = foldHtml({
    title: html`${caption}`,
    content,
    open: hosts.length <= mostUnfolded,
    tone: 'warning',
  });
  return [{ id: 'check', title: 'Unusual changes', content: fold }];
}

function headHtml(title: string): Html {
  return html`<th scope="col"${title === 'Id' ? html` class="id"` : nothing}>${title}</th>`;
}

function rowHtml(change: HostChange): Html {
  const { name, hostId, group, remarks, state, reasons } = change;
  const sources = reasons.map((each) => html`${sourceHtml(each)} `);
  return html`<tr><th scope="row" data-label="Host">${nameHtml(name)}</th><td class="id" data-label="Id">${hostId}</td><td data-label="Group now">${groupHtml(group)}</td><td data-label="Change">${outcomeHtml(change)}</td><td data-label="State">${state === undefined ? '' : stateText(state)}</td><td data-label="Remark">${remarks.join('; ')}</td><td data-label="Requested by">${sources}</td></tr>
`;
}

function outcomeHtml({ newName, newGroup, deleted, install }: HostChange): Html {
  const parts = [
    ...(deleted ? [html`is deleted`] : []),
    ...(install && !deleted ? [html`gets the anti-virus`] : []),
    ...(newName === undefined ? [] : [html`→ ${shortNameHtml(newName)}`]),
    ...(newGroup === undefined ? [] : [html`→ ${groupHtml(newGroup)}`]),
  ];
  return html`${parts.map((part, index) => html`${index === 0 ? '' : ', '}${part}`)}`;
}

function groupHtml({ id, name }: GroupLabel): Html {
  if (id === ungroupedId) return html`no group`;
  return name === null ? html`group ${id}` : shortNameHtml(name);
}
