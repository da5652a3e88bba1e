import { count } from '../../core/lib/words.ts';
import { ungroupedId } from '../../core/model/observed.ts';
import { commentName } from './comment-text.ts';
import { entryText, remarksOf } from './entry-text.ts';
import type { FleetDraft, GroupDraft } from './fleet-draft.ts';

export interface PrintYamlOptions {
  /** The path of the JSON Schema for editors, relative to the file. */
  readonly schema?: string;
}

/** A whole desired-state file. */
export function printYaml({ companyId, groups }: FleetDraft, { schema }: PrintYamlOptions = {}): string {
  const lines = [
    ...(schema === undefined ? [] : [schemaLine(schema)]),
    'version: 1',
    ...(companyId === undefined ? [] : [`account: { companyId: ${companyId} }`]),
    '',
    groups.length === 0 ? 'hosts: []' : 'hosts:',
  ];
  for (const [index, group] of groups.entries()) {
    if (index > 0) lines.push('');
    lines.push(`  # ${groupTitle(group)}`);
    for (const host of group.hosts) {
      for (const remark of remarksOf(host, group)) lines.push(`  ${remark}`);
      lines.push(`  - ${entryText(host, group.intent, 'block', '    ')}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function schemaLine(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}

/** `Berlin: 12 hosts`, for a comment. */
export function groupTitle({ groupId, name, hosts }: GroupDraft): string {
  const size = count(hosts.length, 'host');
  if (groupId === ungroupedId) return `In no group: ${size}`;
  return name === null ? `Group ${groupId}, without a name: ${size}` : `${commentTitle(name)}: ${size}`;
}

/** Without quotation marks if the name is clear without them. */
function commentTitle(name: string): string {
  return /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,60}$/u.test(name) ? name : commentName(name);
}

/** A file that manages nothing yet, with commented examples. */
export function emptyYaml({ companyId }: FleetDraft, schema: string): string {
  return `${schemaLine(schema)}
version: 1
${companyId === undefined ? '' : `account: { companyId: ${companyId} }\n`}
# Each entry manages one host. Rampart does not change hosts without an entry. "rampart hosts" shows ids and names:
#   - id: 9007199254740993
#     name: BER-WEB-01
#     group: Berlin Servers
hosts: []
`;
}
