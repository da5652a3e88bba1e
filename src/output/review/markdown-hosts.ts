import { markdownCode } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { describeGroup } from '../../core/plan/intents/groups.ts';
import type { Reason } from '../../core/plan/types/step.ts';
import { dayOf } from './day-of.ts';
import type { DiffOrigin, GroupLabel, HostChange } from './host-changes.ts';
import { blockOf, type MarkdownBlock } from './markdown-section.ts';
import { nameOrDash, table, unlessEmpty } from './markdown-tables.ts';

/** The place in the desired state that requests a change, as Markdown. */
export type PlaceWords = (reason: Reason) => string;

const originWords: Readonly<Record<DiffOrigin, string>> = {
  introduced: 'this change',
  drift: 'drift',
  pending: 'already pending',
};

/** One row for each host, with everything that the plan does to it. Columns that would be empty are left out. */
export function changeTable(changes: readonly HostChange[], place: PlaceWords): MarkdownBlock {
  return table(changes, [
    { title: 'host', cell: ({ name }) => nameOrDash(name) },
    ...unlessEmpty(changes, {
      title: 'new name',
      cell: ({ new_name: name }) => (name === null ? '' : markdownCode(name)),
    }),
    { title: 'id', cell: ({ host_id: id }) => id },
    { title: 'group', cell: ({ group }) => groupLabelWords(group) },
    ...unlessEmpty(changes, {
      title: 'new group',
      cell: ({ new_group: group }) => (group === null ? '' : groupLabelWords(group)),
    }),
    ...unlessEmpty(changes, {
      title: 'also',
      cell: ({ action }) => (action.includes('refresh') ? 'status refresh' : ''),
    }),
    ...unlessEmpty(changes, { title: 'state', cell: stateWords }),
    { title: 'requested by', cell: ({ reasons }) => reasons.map(place).join(', ') },
    ...unlessEmpty(changes, {
      title: 'cause',
      cell: ({ origin }) => (origin === undefined ? '' : originWords[origin]),
    }),
    ...unlessEmpty(changes, { title: 'remark', cell: ({ remarks }) => remarks.join('; ') }),
  ]);
}

/** The shortest form that still has everything a reviewer needs to know of a deletion. */
export function markdownChanges(changes: readonly HostChange[]): MarkdownBlock {
  return blockOf(changes, {
    open: 'Name, id and group:\n',
    row: ({ name, host_id: id, group, online, remarks }) =>
      `- ${[`${nameOrDash(name)} ${id}`, groupLabelWords(group), online === 'online' ? '**online**' : '', ...remarks].filter((part) => part !== '').join(', ')}`,
  });
}

/** More groups of alike changes are only counted. */
const mostAlike = 20;

/** How many hosts of one group one rule or file changes, as a list. */
export function alikeText(changes: readonly HostChange[], place: PlaceWords): string {
  const causeOf = ({ reasons: [reason] }: HostChange) =>
    reason === undefined ? '' : reason.rule === undefined ? markdownCode(reason.file) : place(reason);
  const alike = Map.groupBy(
    changes,
    (each) => `${groupLabelWords(each.group)}, requested by ${causeOf(each)}`,
  );
  const lines = [...alike].map(([words, all]) => `- ${count(all.length, 'host')} of ${words}`);
  const more = lines.length - mostAlike;
  return [...lines.slice(0, mostAlike), ...(more > 0 ? [`- and ${count(more, 'more group')}`] : [])].join(
    '\n',
  );
}

export function groupLabelWords(group: GroupLabel): string {
  return describeGroup(group, markdownCode);
}

/** `online`, or how long the host has been offline; empty if the plan does not depend on it. */
function stateWords({ online, last_seen: seen }: HostChange): string {
  if (online === null) return '';
  const since = seen === null ? '' : ` since ${dayOf(seen) ?? markdownCode(seen)}`;
  return `${online === 'online' ? '**online**' : online}${since}`;
}
