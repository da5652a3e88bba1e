import { type GroupId, ungroupedId } from '../../core/model/observed.ts';
import { byId, composedGroup, composedHost, withoutName } from './composed-draft.ts';
import { type FleetDraft, type GroupDraft, groupTitle, type HostDraft, remarksOf } from './fleet-draft.ts';
import { scriptMembers } from './print-typescript.ts';

/** A CDK for Terraform stack that adopts every host as its own resource, and changes none. */
export function printCdktf({ companyId, groups }: FleetDraft): string {
  const whose = companyId === undefined ? '' : ` of account ${companyId}`;
  return `import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { ManagedHost, type ManagedHostProps, RampartProvider } from 'rampart/cdktf';

const hosts: readonly (ManagedHostProps & { readonly hostId: string })[] = [
${groups.map(linesOfGroup).join('\n')}];

/** The fleet${whose} as it was imported. */
export class FleetStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new RampartProvider(this, 'rampart');
    for (const host of hosts) {
      new ManagedHost(this, \`host-\${host.hostId}\`, host).resource.importFrom(host.hostId);
    }
  }
}
`;
}

function linesOfGroup(group: GroupDraft): string {
  const shownGroup = tokenlessGroup(composedGroup(group));
  const lines = group.hosts
    .map(composedHost)
    .map(tokenless)
    .flatMap((host) => [
      ...remarksOf(host, shownGroup).map((remark) => `//${remark.slice(1)}`),
      `{ ${scriptMembers(`hostId: '${host.id}'`, host, shownGroup.intent, groupWithId)} },`,
    ]);
  return [`// ${groupTitle(group)}`, ...lines].map((line) => `  ${line}\n`).join('');
}

function groupWithId(id: GroupId): string {
  return id === ungroupedId ? 'null' : `{ groupId: '${id}' }`;
}

/** CDK for Terraform treats such a text as one of its own tokens, wherever it comes from. */
const token = /[$#&]\{TfToken\[/;

function tokenless(host: HostDraft): HostDraft {
  return host.name !== undefined && token.test(host.name)
    ? withoutName(host, 'looks like a value of CDK for Terraform')
    : host;
}

function tokenlessGroup(group: GroupDraft): GroupDraft {
  return group.intent?.kind === 'named' && token.test(group.intent.name) ? byId(group) : group;
}
