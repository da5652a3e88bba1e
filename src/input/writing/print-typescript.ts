import type { GroupIntent } from '../../core/model/observed.ts';
import { type FleetDraft, type GroupDraft, groupTitle, type HostDraft, remarksOf } from './fleet-draft.ts';
import { textLiteral } from './text-literal.ts';

/** A whole desired state as a script, with ids as bigints. */
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
      `    host({ ${membersOf(host, group.intent).join(', ')} }),`,
    ]),
  ];
}

function membersOf({ id, name, antivirus }: HostDraft, intent: GroupIntent | undefined): readonly string[] {
  return [
    `id: ${id}n`,
    ...(name === undefined ? [] : [`name: ${textLiteral(name)}`]),
    ...(intent === undefined ? [] : [`group: ${groupLiteral(intent)}`]),
    ...(antivirus ? [`antivirus: 'installed'`] : []),
  ];
}

function groupLiteral(intent: GroupIntent): string {
  switch (intent.kind) {
    case 'named':
      return textLiteral(intent.name);
    case 'id':
      return `{ id: ${intent.id}n }`;
    case 'ungrouped':
      return 'null';
  }
}
