import { jsonText } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { type GroupId, type GroupIntent, type HostId, ungroupedId } from '../../core/model/observed.ts';
import { commentName } from './comment-text.ts';
import { yamlText } from './yaml-text.ts';

/** A live fleet before it is written: every host once, pinned by its id, in the order of the file. */
export interface FleetDraft {
  /** Absent if unknown. */
  readonly companyId?: string;
  readonly groups: readonly GroupDraft[];
}

/** The hosts of one group; at least one. */
export interface GroupDraft {
  /** -1 for hosts without a group. */
  readonly groupId: GroupId;
  /** Null: no group, or one without a name. */
  readonly name: string | null;
  /** Absent if the group can't be expressed, because the list of groups does not have it. */
  readonly intent?: GroupIntent;
  readonly hosts: readonly HostDraft[];
}

export interface HostDraft {
  readonly id: HostId;
  /** The current name of the host. */
  readonly current: string | null;
  /** The same name, if it can be claimed. */
  readonly name?: string;
  /** Why it can't be claimed: a clause with names made safe for a comment. */
  readonly unclaimed?: string;
  readonly antivirus: boolean;
  /** The host should be deleted. */
  readonly absent?: true;
}

export function countHosts({ groups }: FleetDraft): number {
  return groups.reduce((sum, { hosts }) => sum + hosts.length, 0);
}

/** The layout of an entry: keys on lines of their own, in braces, or in braces as JSON requires. */
export type EntryStyle = 'block' | 'flow' | 'json';

/** An entry as the text of a list item, without a hyphen and without a trailing line break. */
export function entryText(
  { id, name, antivirus, absent }: HostDraft,
  intent: GroupIntent | undefined,
  style: EntryStyle,
  indent: string,
): string {
  const text = style === 'json' ? jsonText : yamlText;
  const members = [
    member('id', id, style),
    ...(name === undefined ? [] : [member('name', text(name), style)]),
    ...(intent === undefined ? [] : [member('group', groupText(intent, style), style)]),
    ...(antivirus ? [member('antivirus', text('installed'), style)] : []),
    ...(absent === true ? [member('ensure', text('absent'), style)] : []),
  ];
  return style === 'block' ? members.join(`\n${indent}`) : `{ ${members.join(', ')} }`;
}

export function groupText(intent: GroupIntent, style: EntryStyle): string {
  switch (intent.kind) {
    case 'named':
      return style === 'json' ? jsonText(intent.name) : yamlText(intent.name);
    case 'id':
      return `{ ${member('id', intent.id, style)} }`;
    case 'ungrouped':
      return 'null';
  }
}

function member(key: string, value: string, style: EntryStyle): string {
  return style === 'json' ? `"${key}": ${value}` : `${key}: ${value}`;
}

/** Facts about an entry that an import can't express, as comment lines. */
export function remarksOf({ id, unclaimed }: HostDraft, { groupId, intent }: GroupDraft): readonly string[] {
  return [
    ...(unclaimed === undefined ? [] : [`# ${id} has no name here: ${unclaimed}`]),
    ...(intent === undefined
      ? [`# ${id} has no group here: the list of groups does not have ${groupId}`]
      : []),
  ];
}

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
