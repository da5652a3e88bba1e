import { type GroupIntent, ungroupedId } from '../../core/model/observed.ts';
import { composedGroup, composedHost } from './composed-draft.ts';
import { type FleetDraft, type GroupDraft, groupTitle, type HostDraft, remarksOf } from './fleet-draft.ts';
import { hclLabel, hclText } from './hcl-text.ts';
import { quoteText } from './quote-text.ts';

/** For each host an `import` block and a `resource` block of the Terraform provider, laid out as `terraform fmt` does. */
export function printHcl({ companyId, groups }: FleetDraft): string {
  const head = companyId === undefined ? [] : [`# The fleet of account ${companyId}\n`];
  return [
    ...head,
    ...groups.flatMap((group) => [
      `# ${groupTitle(group)}\n`,
      ...group.hosts.map((host) => printHost(composedHost(host), composedGroup(group))),
    ]),
  ].join('\n');
}

function printHost(host: HostDraft, group: GroupDraft): string {
  const label = hclLabel(host);
  return [
    ...remarksOf(host, group),
    'import {',
    `  to = rampart_host.${label}`,
    `  id = ${quoteText(host.id)}`,
    '}',
    '',
    `resource "rampart_host" "${label}" {`,
    ...alignedAttributes([
      ['host_id', host.id],
      ...(host.name === undefined ? [] : [['name', host.name] as const]),
      ...(group.intent === undefined ? [] : [groupAttribute(group.intent)]),
      ...(host.antivirus ? [['antivirus', 'installed'] as const] : []),
    ]),
    '}',
    '',
  ].join('\n');
}

function groupAttribute(intent: GroupIntent): readonly [key: string, value: string] {
  switch (intent.kind) {
    case 'named':
      return ['group', intent.name];
    case 'id':
      return ['group_id', intent.id];
    case 'ungrouped':
      return ['group_id', ungroupedId];
  }
}

function alignedAttributes(
  attributes: readonly (readonly [key: string, value: string])[],
): readonly string[] {
  const width = Math.max(...attributes.map(([key]) => key.length));
  return attributes.map(([key, value]) => `  ${key.padEnd(width)} = ${hclText(value)}`);
}
