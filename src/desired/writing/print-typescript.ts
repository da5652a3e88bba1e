import type { GroupWish } from '../../model/group.ts';
import { remarksOf } from './entry-text.ts';
import type { FleetDraft, GroupDraft, HostDraft } from './fleet-draft.ts';
import { groupTitle } from './print-yaml.ts';
import { textLiteral } from './text-literal.ts';

/** A whole desired state as a script, ids as bigints. */
export function printTypescript({ companyId, groups }: FleetDraft): string {
  return [
    "import { defineFleet, host } from 'rampart';",
    '',
    'export default defineFleet({',
    ...(companyId === undefined ? [] : [`  account: { companyId: ${companyId}n },`]),
    ...(groups.length === 0 ? ['  hosts: [],'] : ['  hosts: [', ...groups.flatMap(groupLines), '  ],']),
    '});',
    '',
  ].join('\n');
}

function groupLines(group: GroupDraft): readonly string[] {
  return [
    `    // ${groupTitle(group)}`,
    ...group.hosts.flatMap((host) => [
      ...remarksOf(host, group).map((remark) => `    //${remark.slice(1)}`),
      `    host({ ${membersOf(host, group.wish).join(', ')} }),`,
    ]),
  ];
}

function membersOf({ id, name, antivirus }: HostDraft, wish: GroupWish | undefined): readonly string[] {
  return [
    `id: ${id}n`,
    ...(name === undefined ? [] : [`name: ${textLiteral(name)}`]),
    ...(wish === undefined ? [] : [`group: ${groupLiteral(wish)}`]),
    ...(antivirus ? [`antivirus: 'installed'`] : []),
  ];
}

function groupLiteral(wish: GroupWish): string {
  switch (wish.kind) {
    case 'named':
      return textLiteral(wish.name);
    case 'id':
      return `{ id: ${wish.id}n }`;
    case 'ungrouped':
      return 'null';
  }
}
