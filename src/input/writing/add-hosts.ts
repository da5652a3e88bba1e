import type { GroupIntent } from '../../core/model/observed.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { MappingNode, SequenceNode, SourceText, Span, YamlNode } from '../sources/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { type EntryStyle, entryText, type FleetDraft, type HostDraft, remarksOf } from './fleet-draft.ts';
import type { TextEdit } from './text-edit.ts';

/** The distance of a node from the start of its line. */
export function columnAt(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** True for braces or brackets, false for a key or hyphen on each line. */
export function isFlow(text: string, node: YamlNode): boolean {
  return text[node.start] === '{' || text[node.start] === '[';
}

export function isAliased(text: string, node: YamlNode): boolean {
  return text[node.start] === '*';
}

/** The end of a node's content. For the parser, comments, blank lines and the last line break can be part of a node. */
export function endOfContent(text: string, node: YamlNode): number {
  if (node.kind === 'scalar' || isFlow(text, node) || isAliased(text, node))
    return node.start + text.slice(node.start, node.end).trimEnd().length;
  const last = node.kind === 'sequence' ? node.items.at(-1) : node.members.at(-1)?.value;
  return last === undefined ? node.end : endOfContent(text, last);
}

/** Inserts items after the last one of a list or mapping in lines, and after the comments that follow it there. */
export function itemsAfter(text: string, of: SequenceNode | MappingNode, lines: readonly string[]): TextEdit {
  const end = endOfContent(text, of);
  const column = columnAt(text, of.start);
  // Comments without indentation may belong to the next section.
  const comments = new RegExp(`[^\\n]*(?:\\n {${Math.max(1, column)},}#[^\\n]*)*`, 'y');
  comments.lastIndex = end;
  return linesAfter(text, end + (comments.exec(text)?.[0].trimEnd().length ?? 0), lines);
}

/** Inserts whole lines after the line that contains `end`, with the line break that the text uses. */
export function linesAfter(text: string, end: number, lines: readonly string[]): TextEdit {
  const lineBreak = lineBreakOf(text);
  const next = text.indexOf('\n', end);
  const at = next === -1 ? text.length : text[next - 1] === '\r' ? next - 1 : next;
  return insertion(at, lines.map((line) => `${lineBreak}${line}`).join(''));
}

export function insertion(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}

export function lineBreakOf(text: string): string {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

/** An entry for a host, and comment lines above it. */
export interface NewEntry {
  readonly host: HostDraft;
  readonly intent?: GroupIntent | undefined;
  readonly remarks: readonly string[];
}

/** Adds the hosts of a fleet, with remarks about what an entry can't express. */
export function addHosts(source: SourceText, { groups }: FleetDraft): Result<readonly TextEdit[]> {
  const entries = groups.flatMap((group) =>
    group.hosts.map((host) => ({ host, intent: group.intent, remarks: remarksOf(host, group) })),
  );
  return addEntries(source, entries);
}

/**
 * Adds entries at the end of a file's `hosts:`, in the style of its last entry. Existing lines stay unchanged; only
 * brackets grow on their own line. The file must have been read without errors.
 */
export function addEntries(source: SourceText, entries: readonly NewEntry[]): Result<readonly TextEdit[]> {
  if (entries.length === 0) return ok([]);
  const { text } = source;
  const tree = parseYaml(source);
  if (!tree.ok) return tree;
  const root = tree.value;
  if (root.kind !== 'mapping') return failed(notEditable(source, root));
  const hosts = root.members.find(({ key }) => key.text === 'hosts')?.value;
  if (hosts === undefined) return ok([addSection(text, root, entries)]);
  if (hosts.kind !== 'sequence' || isAliased(text, hosts)) return failed(notEditable(source, hosts));
  if (!isFlow(text, hosts)) return ok([addToList(text, hosts, entries)]);
  const isEmpty = text.slice(hosts.start + 1, hosts.end - 1).trim() === '';
  return ok(
    isEmpty && !isFlow(text, root)
      ? replaceEmptyBrackets(text, hosts, columnAt(text, root.start), entries)
      : addToBrackets(text, hosts, entries, isFlow(text, root) ? 'json' : 'flow'),
  );
}

function addToList(text: string, hosts: SequenceNode, entries: readonly NewEntry[]): TextEdit {
  const last = hosts.items.at(-1);
  const style = last !== undefined && isFlow(text, last) ? 'flow' : 'block';
  const lines = listLines(entries, style, columnAt(text, hosts.start));
  return itemsAfter(text, hosts, lines);
}

function replaceEmptyBrackets(
  text: string,
  brackets: Span,
  indent: number,
  entries: readonly NewEntry[],
): TextEdit[] {
  const blanks = /[ \t]*$/.exec(text.slice(0, brackets.start))?.[0].length ?? 0;
  return [
    { start: brackets.start - blanks, end: brackets.end, text: '' },
    linesAfter(text, brackets.end, listLines(entries, 'block', indent + 2)),
  ];
}

function addSection(text: string, root: MappingNode, entries: readonly NewEntry[]): TextEdit {
  const end = endOfContent(text, root);
  if (isFlow(text, root)) {
    const at = root.members.at(-1)?.value.end ?? root.end - 1;
    return insertion(at, `, "hosts": [${items(entries, 'json').join(', ')}]`);
  }
  const indent = columnAt(text, root.start);
  return linesAfter(text, end, [
    '',
    `${' '.repeat(indent)}hosts:`,
    ...listLines(entries, 'block', indent + 2),
  ]);
}

function addToBrackets(
  text: string,
  brackets: SequenceNode,
  entries: readonly NewEntry[],
  style: EntryStyle,
): readonly TextEdit[] {
  const last = brackets.items.at(-1);
  const lastEnd = last === undefined ? brackets.start + 1 : endOfContent(text, last);
  const comma = commaAfter(text.slice(lastEnd, brackets.end - 1));
  const end = comma === undefined ? lastEnd : lastEnd + comma + 1;
  const indent = last === undefined ? 2 : columnAt(text, last.start);
  const texts = items(entries, style);
  const lines = texts.map((item, index) => {
    const isLast = index === texts.length - 1;
    return `${' '.repeat(indent)}${item}${isLast && comma === undefined ? '' : ','}`;
  });
  const separated = last === undefined || comma !== undefined;
  const closesOnLine = !text.slice(end, brackets.end - 1).includes('\n');
  const lineBreak = lineBreakOf(text);
  return [
    insertion(lastEnd, separated ? '' : ','),
    closesOnLine
      ? insertion(end, lines.map((line) => `${lineBreak}${line}`).join(''))
      : linesAfter(text, end, lines),
  ];
}

/** The offset of the comma in the blanks and comments between the last item and the closing bracket. */
function commaAfter(rest: string): number | undefined {
  const at = rest.replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length)).indexOf(',');
  return at === -1 ? undefined : at;
}

function items(entries: readonly NewEntry[], style: EntryStyle): readonly string[] {
  return entries.map(({ host, intent }) => entryText(host, intent, style, ''));
}

function listLines(entries: readonly NewEntry[], style: EntryStyle, indent: number): readonly string[] {
  const margin = ' '.repeat(indent);
  return entries.flatMap(({ host, intent, remarks }) => [
    ...remarks.map((remark) => `${margin}${remark}`),
    ...`${margin}- ${entryText(host, intent, style, `${margin}  `)}`.split('\n'),
  ]);
}

function notEditable(source: SourceText, at: Span): Problem {
  return problem('invalid-value', "hosts can't be added here because the list is an alias", {
    place: source.placeOf(at),
    hint: 'write the list in full, or choose another file with --into',
  });
}

/** The list of entries, unless it is an alias. */
export function hostsNode(text: string, root: YamlNode): SequenceNode | undefined {
  const hosts = root.kind === 'mapping' ? root.members.find(({ key }) => key.text === 'hosts') : undefined;
  return hosts?.value.kind === 'sequence' && !isAliased(text, hosts.value) ? hosts.value : undefined;
}

/** The place of an entry is that of its first key. */
export function entriesByPlace(source: SourceText, hosts?: SequenceNode): ReadonlyMap<string, MappingNode> {
  const entries = new Map<string, MappingNode>();
  for (const item of hosts?.items ?? []) {
    const first = item.kind === 'mapping' ? item.members[0] : undefined;
    if (item.kind !== 'mapping' || first === undefined || isAliased(source.text, item)) continue;
    const { line, col } = source.placeOf(first.key);
    entries.set(`${line}:${col}`, item);
  }
  return entries;
}
