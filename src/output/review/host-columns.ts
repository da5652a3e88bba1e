import { printable } from '../../core/lib/printable.ts';
import { type Group, type ObservedHost, ungroupedId } from '../../core/model/observed.ts';
import type { Color } from './color.ts';
import type { Column } from './columns.ts';
import { shownName } from './step-title.ts';
import type { Cell } from './table.ts';

/** A host with its known facts. */
export interface FactedHost {
  readonly host: ObservedHost;
  /** Undefined if the list of groups does not have the host's group. */
  readonly group: Group | undefined;
  /** Values of custom fields by the names of their categories. */
  readonly fields: Readonly<Record<string, string>>;
}

export const hostColumns = {
  id: { key: 'id', kind: 'fixed', value: ({ host }) => BigInt(host.id) },
  name: {
    key: 'name',
    kind: 'name',
    value: ({ host }) => host.name,
    cell: ({ host }) => ({ text: shownName(host.name) }),
  },
  groupId: { key: 'group-id', kind: 'fixed', value: ({ host }) => BigInt(host.groupId) },
  group: {
    key: 'group',
    kind: 'name',
    value: ({ group }) => group?.name ?? null,
    cell: ({ host, group }) => ({ text: groupText(host, group) }),
  },
  online: {
    key: 'online',
    heading: 'STATE',
    kind: 'fixed',
    value: ({ host }) => host.online,
    cell: ({ host }, color) => onlineCell(host.online, color),
  },
  hostName: { key: 'host-name', kind: 'name', value: ({ host }) => host.hostName ?? null },
  stateChangedAt: {
    key: 'state-changed-at',
    kind: 'fixed',
    value: ({ host }) => host.stateChangedAt ?? null,
  },
} as const satisfies Readonly<Record<string, Column<FactedHost>>>;

/** A category of custom fields as a column. */
export function customFieldColumn(category: string): Column<FactedHost> {
  return {
    key: category,
    heading: category,
    kind: 'name',
    within: 'custom_fields',
    value: ({ fields }) => (Object.hasOwn(fields, category) ? (fields[category] ?? null) : null),
  };
}

function groupText({ groupId }: ObservedHost, group: Group | undefined): string {
  return printable(group?.name ?? (groupId === ungroupedId ? '-' : `group ${groupId}`));
}

function onlineCell(online: boolean, color: Color): Cell {
  return online ? { text: 'online', paint: color.green } : { text: 'offline', paint: color.dim };
}
