import type { GroupIntent } from '../../core/model/group.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import type { SourceText } from '../sources/source-text.ts';
import type { MappingNode, Member, SequenceNode, YamlNode } from '../sources/yaml-tree.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { groupText, jsonText } from './entry-text.ts';
import type { TextEdit } from './text-edit.ts';
import { columnOf, endOfContent, insertion, isAliased, isFlow, linesAfter } from './yaml-layout.ts';
import { yamlText } from './yaml-text.ts';

/** What an entry requests instead, after someone changed the fleet. */
export type Acceptance =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'group'; readonly group: GroupIntent }
  /** The anti-virus was removed from the host, so the entry no longer requests it. */
  | { readonly kind: 'no-antivirus' }
  /** The host was deleted, and so is its entry. */
  | { readonly kind: 'no-host' };

export interface AcceptedChange {
  /** The start of the entry, as `Desired.placeOf` returns it. */
  readonly line: number;
  readonly col: number;
  readonly acceptance: Acceptance;
}

export interface AcceptOptions {
  /** Add a name or group that an entry does not set, so that the entry overrides a rule. */
  readonly mayAdd: boolean;
}

export interface AcceptedDrift {
  readonly edits: readonly TextEdit[];
  /** Changes of entries in a form that can't be edited, or of attributes that the entry does not set. */
  readonly refused: readonly AcceptedChange[];
}

/** Lets entries request what the fleet has. Comments and everything else in the file stay unchanged. */
export function acceptDrift(
  source: SourceText,
  changes: readonly AcceptedChange[],
  { mayAdd }: AcceptOptions,
): Result<AcceptedDrift> {
  const tree = parseYaml(source);
  if (!tree.ok) return tree;
  const hosts = hostsOf(source.text, tree.value);
  const edits: TextEdit[] = [];
  const refused: AcceptedChange[] = [];
  for (const change of changes) {
    const entry = hosts && entryAt(source, hosts, change);
    const edit = hosts && entry && editOf(source.text, hosts, entry, change.acceptance, mayAdd);
    if (edit === undefined) refused.push(change);
    else edits.push(edit);
  }
  return ok({ edits, refused });
}

function hostsOf(text: string, root: YamlNode): SequenceNode | undefined {
  const hosts = root.kind === 'mapping' ? root.members.find(({ key }) => key.text === 'hosts') : undefined;
  return hosts?.value.kind === 'sequence' && !isAliased(text, hosts.value) ? hosts.value : undefined;
}

/** An entry's place is that of its first key. */
function entryAt(
  source: SourceText,
  { items }: SequenceNode,
  { line, col }: AcceptedChange,
): MappingNode | undefined {
  return items.find((item): item is MappingNode => {
    const first = item.kind === 'mapping' ? item.members[0] : undefined;
    if (first === undefined || isAliased(source.text, item)) return false;
    const place = source.placeOf(first.key);
    return place.line === line && place.col === col;
  });
}

function editOf(
  text: string,
  hosts: SequenceNode,
  entry: MappingNode,
  acceptance: Acceptance,
  mayAdd: boolean,
): TextEdit | undefined {
  switch (acceptance.kind) {
    case 'name':
    case 'group':
      return memberOf(entry, acceptance.kind) === undefined && mayAdd
        ? addMember(text, entry, acceptance)
        : replaceValue(text, entry, acceptance);
    case 'no-antivirus':
      return removeMember(text, entry, 'antivirus');
    case 'no-host':
      return removeItem(text, hosts, entry);
  }
}

type NewValue = Extract<Acceptance, { kind: 'name' | 'group' }>;

function replaceValue(text: string, entry: MappingNode, acceptance: NewValue): TextEdit | undefined {
  const member = memberOf(entry, acceptance.kind);
  if (member === undefined || isAliased(text, member.value) || text[member.value.start] === '&')
    return undefined;
  const value = valueText(acceptance, styleOf(text, entry, member));
  return { start: member.value.start, end: endOfContent(text, member.value), text: value };
}

/** On a line of its own, or after the last key within braces. */
function addMember(text: string, entry: MappingNode, acceptance: NewValue): TextEdit | undefined {
  const [first] = entry.members;
  const last = entry.members.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const style = styleOf(text, entry, first);
  const key = style === 'json' ? jsonText(acceptance.kind) : acceptance.kind;
  const member = `${key}: ${valueText(acceptance, style)}`;
  const end = endOfContent(text, last.value);
  if (isFlow(text, entry)) return insertion(end, `, ${member}`);
  return linesAfter(text, end, [`${' '.repeat(columnOf(text, first.key.start))}${member}`]);
}

function styleOf(text: string, entry: MappingNode, { key }: Member): 'json' | 'flow' {
  return text[key.start] === '"' && isFlow(text, entry) ? 'json' : 'flow';
}

function valueText(acceptance: NewValue, style: 'json' | 'flow'): string {
  if (acceptance.kind === 'group') return groupText(acceptance.group, style);
  return style === 'json' ? jsonText(acceptance.name) : yamlText(acceptance.name);
}

/** Removes the lines of a key, or the key with its comma within braces. */
function removeMember(text: string, entry: MappingNode, key: string): TextEdit | undefined {
  const at = entry.members.findIndex((each) => each.key.text === key);
  const member = entry.members[at];
  if (member === undefined) return undefined;
  const end = endOfContent(text, member.value);
  const [before, after] = [entry.members[at - 1], entry.members[at + 1]];
  if (isFlow(text, entry)) {
    if (before !== undefined) return { start: endOfContent(text, before.value), end, text: '' };
    return after === undefined ? undefined : { start: member.key.start, end: after.key.start, text: '' };
  }
  // The first key stands behind the hyphen of its entry.
  if (before === undefined)
    return after === undefined ? undefined : { start: member.key.start, end: after.key.start, text: '' };
  return { start: lineStart(text, member.key.start), end: nextLine(text, end), text: '' };
}

/** Removes the lines of an entry from a list with a hyphen for each entry. */
function removeItem(text: string, hosts: SequenceNode, entry: MappingNode): TextEdit | undefined {
  if (isFlow(text, hosts) || hosts.items.length === 1) return undefined;
  const start = lineStart(text, entry.start);
  if (!/^\s*-\s+$/.test(text.slice(start, entry.start))) return undefined;
  return { start, end: nextLine(text, endOfContent(text, entry)), text: '' };
}

function memberOf(entry: MappingNode, key: string): Member | undefined {
  return entry.members.find((each) => each.key.text === key);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function nextLine(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
