import { jsonText } from '../../core/lib/printable.ts';
import type { GroupId, GroupIntent } from '../../core/model/observed.ts';
import {
  countHosts,
  type FleetDraft,
  type GroupDraft,
  groupTitle,
  type HostDraft,
  remarksOf,
} from './fleet-draft.ts';

/** For QuickJS, the time that a function takes to find the lines of its calls grows with their square. */
const mostCalls = 10_000;

/** A whole desired state as a script, with ids as bigints. */
export function printTypescript(draft: FleetDraft): string {
  const { companyId, groups } = draft;
  const isCalled = countHosts(draft) <= mostCalls;
  return [
    `import { defineFleet${isCalled ? ', host' : ''} } from 'rampart';`,
    '',
    'export default defineFleet({',
    ...(companyId === undefined ? [] : [`  account: { companyId: ${companyId}n },`]),
    ...(groups.length === 0
      ? ['  hosts: [],']
      : ['  hosts: [', ...groups.flatMap((each) => groupLines(each, isCalled)), '  ],']),
    '});',
    '',
  ].join('\n');
}

function groupLines(group: GroupDraft, isCalled: boolean): readonly string[] {
  return [
    `    // ${groupTitle(group)}`,
    ...group.hosts.flatMap((host) => {
      const entry = `{ ${scriptMembers(`id: ${host.id}n`, host, group.intent, (id) => `{ id: ${id}n }`)} }`;
      return [
        ...remarksOf(host, group).map((remark) => `    //${remark.slice(1)}`),
        `    ${isCalled ? `host(${entry})` : entry},`,
      ];
    }),
  ];
}

/** The members of a host in a script; its id is the first of them. */
export function scriptMembers(
  id: string,
  { name, antivirus }: HostDraft,
  intent: GroupIntent | undefined,
  groupWithId: (id: GroupId) => string,
): string {
  return [
    id,
    ...(name === undefined ? [] : [`name: ${jsonText(name)}`]),
    ...(intent === undefined ? [] : [`group: ${groupLiteral(intent, groupWithId)}`]),
    ...(antivirus ? [`antivirus: 'installed'`] : []),
  ].join(', ');
}

function groupLiteral(intent: GroupIntent, groupWithId: (id: GroupId) => string): string {
  switch (intent.kind) {
    case 'named':
      return jsonText(intent.name);
    case 'id':
      return groupWithId(intent.id);
    case 'ungrouped':
      return 'null';
  }
}
