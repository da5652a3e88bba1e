import { jsonText } from '../../core/lib/printable.ts';
import type { GroupIntent, HostId } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { MappingNode, Member, SequenceNode, SourceText } from '../sources/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import {
  columnAt,
  endOfContent,
  entriesByPlace,
  hostsNode,
  insertion,
  isAliased,
  isFlow,
  lineBreakOf,
  linesAfter,
} from './add-hosts.ts';
import { groupText } from './fleet-draft.ts';
import type { TextEdit } from './text-edit.ts';
import { yamlText } from './yaml-text.ts';

/** What an entry requests instead. */
export type EntryChange =
  /** The host that the entry is for, which a host with this id is from now on. */
  | { readonly kind: 'id'; readonly id: HostId }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'group'; readonly group: GroupIntent }
  | { readonly kind: 'antivirus' }
  /** The anti-virus was removed from the host, so the entry no longer requests it. */
  | { readonly kind: 'no-antivirus' }
  /** The host should be deleted. */
  | { readonly kind: 'absent' }
  /** The host was deleted, and so is its entry. */
  | { readonly kind: 'no-host' };

export interface PlacedChange {
  /** The start of the entry, as `Desired.placeOf` returns it. */
  readonly line: number;
  readonly col: number;
  readonly change: EntryChange;
}

export interface ChangeOptions {
  /** Add a name or group that an entry does not set, so that the entry overrides a rule. */
  readonly mayAdd: boolean;
}

export interface ChangedText {
  readonly edits: readonly TextEdit[];
  /** Changes of entries in a form that can't be edited, or of attributes that the entry does not set. */
  readonly refused: readonly PlacedChange[];
}

/** Changes what entries request. Comments and everything else in the file stay unchanged. */
export function changeEntries(
  source: SourceText,
  changes: readonly PlacedChange[],
  { mayAdd }: ChangeOptions,
): Result<ChangedText> {
  const tree = parseYaml(source);
  if (!tree.ok) return tree;
  const hosts = hostsNode(source.text, tree.value);
  const entries = entriesByPlace(source, hosts);
  const edits: TextEdit[] = [];
  const refused: PlacedChange[] = [];
  let left = hosts?.items.length ?? 0;
  for (const change of changes) {
    const entry = entries.get(`${change.line}:${change.col}`);
    const own = hosts && entry && editsOf(source.text, hosts, entry, change.change, mayAdd);
    // A list in lines can't be empty.
    const isLast = change.change.kind === 'no-host' && left === 1;
    if (own === undefined || own.includes(undefined) || isLast) refused.push(change);
    else {
      edits.push(...own.flatMap((edit) => edit ?? []));
      if (change.change.kind === 'no-host') left -= 1;
    }
  }
  return ok({ edits, refused });
}

/** Undefined, or with an undefined edit, if the form of the entry does not allow the change. */
function editsOf(
  text: string,
  hosts: SequenceNode,
  entry: MappingNode,
  change: EntryChange,
  mayAdd: boolean,
): readonly (TextEdit | undefined)[] | undefined {
  switch (change.kind) {
    case 'id':
      return [pinEntry(text, entry, change.id)];
    case 'name':
    case 'group':
    case 'antivirus':
      return [setMember(text, entry, change, mayAdd)];
    case 'no-antivirus':
      return [removeMember(text, entry, 'antivirus')];
    case 'absent': {
      // An absent host has no group and no anti-virus: the first of these keys becomes "ensure".
      const [first, ...others] = entry.members.filter(({ key }) => unlikeAbsent.has(key.text));
      if (first === undefined) return [setMember(text, entry, change, mayAdd)];
      const end = endOfContent(text, first.value);
      const member = memberText(change, styleOf(text, entry, first));
      return [
        { start: first.key.start, end, text: member },
        ...others.map(({ key }) => removeMember(text, entry, key.text)),
      ];
    }
    case 'no-host':
      return [removeItem(text, hosts, entry)];
  }
}

/** Adds the id as the first key of an entry, or replaces it. */
function pinEntry(text: string, entry: MappingNode, id: HostId): TextEdit {
  const earlier = entry.members.find(({ key }) => key.text === 'id')?.value;
  if (earlier !== undefined) return { start: earlier.start, end: earlier.end, text: id };
  if (!isFlow(text, entry)) {
    const margin = ' '.repeat(columnAt(text, entry.start));
    return insertion(entry.start, `id: ${id}${lineBreakOf(text)}${margin}`);
  }
  const key = text[entry.members[0]?.key.start ?? 0] === '"' ? '"id"' : 'id';
  const blank = /^\s*/.exec(text.slice(entry.start + 1))?.[0] ?? '';
  return insertion(entry.start + 1, blank === '' ? `${key}: ${id}, ` : `${blank}${key}: ${id},`);
}

type NewValue = Extract<EntryChange, { kind: 'name' | 'group' | 'antivirus' | 'absent' }>;

const unlikeAbsent: ReadonlySet<string> = new Set(['group', 'antivirus', 'ensure']);

function setMember(
  text: string,
  entry: MappingNode,
  change: NewValue,
  mayAdd: boolean,
): TextEdit | undefined {
  const member = memberOf(entry, keyOf(change));
  if (member === undefined) return mayAdd ? addMember(text, entry, change) : undefined;
  if (isAliased(text, member.value) || text[member.value.start] === '&') return undefined;
  const value = valueText(change, styleOf(text, entry, member));
  return { start: member.value.start, end: endOfContent(text, member.value), text: value };
}

/** On its own line, or after the last key within braces. */
function addMember(text: string, entry: MappingNode, change: NewValue): TextEdit | undefined {
  const [first] = entry.members;
  const last = entry.members.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const member = memberText(change, styleOf(text, entry, first));
  const end = endOfContent(text, last.value);
  if (isFlow(text, entry)) return insertion(end, `, ${member}`);
  return linesAfter(text, end, [`${' '.repeat(columnAt(text, first.key.start))}${member}`]);
}

function styleOf(text: string, entry: MappingNode, { key }: Member): 'json' | 'flow' {
  return text[key.start] === '"' && isFlow(text, entry) ? 'json' : 'flow';
}

function keyOf({ kind }: NewValue): string {
  return kind === 'absent' ? 'ensure' : kind;
}

function memberText(change: NewValue, style: 'json' | 'flow'): string {
  const key = style === 'json' ? jsonText(keyOf(change)) : keyOf(change);
  return `${key}: ${valueText(change, style)}`;
}

function valueText(change: NewValue, style: 'json' | 'flow'): string {
  const scalar = style === 'json' ? jsonText : yamlText;
  switch (change.kind) {
    case 'name':
      return scalar(change.name);
    case 'group':
      return groupText(change.group, style);
    case 'antivirus':
      return scalar('installed');
    case 'absent':
      return scalar('absent');
  }
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
  // The first key follows the hyphen of its entry.
  if (before === undefined)
    return after === undefined ? undefined : { start: member.key.start, end: after.key.start, text: '' };
  return { start: member.key.start - columnAt(text, member.key.start), end: nextLine(text, end), text: '' };
}

/** Removes the lines of an entry from a list with a hyphen for each entry. */
function removeItem(text: string, hosts: SequenceNode, entry: MappingNode): TextEdit | undefined {
  if (isFlow(text, hosts)) return undefined;
  const start = entry.start - columnAt(text, entry.start);
  if (!/^\s*-\s+$/.test(text.slice(start, entry.start))) return undefined;
  return { start, end: nextLine(text, endOfContent(text, entry)), text: '' };
}

function memberOf(entry: MappingNode, key: string): Member | undefined {
  return entry.members.find((each) => each.key.text === key);
}

function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
