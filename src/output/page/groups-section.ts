import { ungroupedId } from '../../core/model/group.ts';
import type { HostId } from '../../core/model/host-id.ts';
import { type GroupChange, groupChanges, hostsOf } from '../review/group-changes.ts';
import type { HostRow, PlanRows } from '../review/rows.ts';
import { groupNames } from './groups.ts';
import { type Html, html, nothing } from './markup.ts';
import { shortText } from './name-text.ts';
import type { ShownName } from './page-data.ts';
import { foldHtml, type Section } from './section.ts';
import { nameHtml } from './shown-name.ts';
import { counted, figure } from './words.ts';

/** Hosts in one list; the table has all of them. */
const mostHosts = 100;
/** Trees with at most this many hosts are unfolded. */
const mostUnfolded = 30;

/** Which hosts join and leave each group. */
export function groupsSection(rows: PlanRows): readonly Section[] {
  const changes = groupChanges(rows);
  if (changes.length === 0) return [];
  const renames = rows.renames.flatMap((each) => each.rows);
  const options = {
    names: groupNames(rows),
    newNames: new Map(renames.map((row) => [row.hostId, row.to])),
    open: changes.reduce((sum, each) => sum + hostsOf(each), 0) <= mostUnfolded,
  };
  const content = html`${changes.map((change) => groupHtml(change, options))}`;
  return [{ id: 'groups', title: 'Groups before and after', content }];
}

interface GroupOptions {
  readonly names: Readonly<Record<string, ShownName>>;
  readonly newNames: ReadonlyMap<HostId, string>;
  readonly open: boolean;
}

function groupHtml(change: GroupChange, { names, newNames, open }: GroupOptions): Html {
  const { groupId, before, after, arrivals, departures, deleted } = change;
  const name = names[groupId] ?? null;
  const nameOf = (id: string) => html`<bdi>${shortText(names[id] ?? null)}</bdi>`;
  const hostHtml = ({ name, hostId }: HostRow) => {
    const to = newNames.get(hostId);
    const becomes = to === undefined ? nothing : html` <span class="dim">becomes</span> ${nameHtml(to)}`;
    return html`${nameHtml(name)}${becomes}`;
  };
  const lists = [
    branch(
      'Arrive',
      arrivals,
      ({ host, from }) => html`${hostHtml(host)}<span class="dim">, from ${nameOf(from)}</span>`,
    ),
    branch(
      'Leave',
      departures,
      ({ host, to }) => html`${hostHtml(host)}<span class="dim">, to ${nameOf(to)}</span>`,
    ),
    branch('Deleted', deleted, (host) => nameHtml(host.name)),
  ];
  const flow = [
    sign('+', arrivals.length, 'arrive'),
    sign('−', departures.length, 'leave'),
    sign('×', deleted.length, 'deleted'),
  ];
  const isNamed = groupId !== ungroupedId && name !== `group ${groupId}`;
  const id = isNamed ? html` <span class="dim id">${groupId}</span>` : nothing;
  const title = html`<span class="group-name"><bdi>${shortText(name)}</bdi>${id}</span> <span class="flow">${flow}</span> <span class="count">${figure(before)} → ${counted(after, 'host')}</span>`;
  return foldHtml({ title, content: html`${lists}`, open, tone: 'group' });
}

function sign(mark: string, number: number, word: string): Html {
  return number === 0
    ? nothing
    : html`<span class="${word}">${mark}${figure(number)}<span class="unseen"> ${word},</span></span> `;
}

function branch<T>(title: string, hosts: readonly T[], itemOf: (host: T) => Html): Html {
  if (hosts.length === 0) return nothing;
  const left = hosts.length - mostHosts;
  const items = hosts.slice(0, mostHosts).map((host) => html`<li>${itemOf(host)}</li>\n`);
  const more =
    left <= 0 ? nothing : html`<li class="dim">and ${counted(left, 'more host')}: see the table</li>\n`;
  return html`<h3 class="branch">${title} <span class="dim">${figure(hosts.length)}</span></h3>
<ul class="hosts">
${items}${more}</ul>
`;
}
