import type { GroupIntent } from '../../core/model/observed.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { MappingNode, SequenceNode, SourceText, Span } from '../sources/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { type EntryStyle, entryText, remarksOf } from './entry-text.ts';
import type { FleetDraft, HostDraft } from './fleet-draft.ts';
import type { TextEdit } from './text-edit.ts';
import {
  columnAt,
  endOfContent,
  insertion,
  isAliased,
  isFlow,
  lineBreakOf,
  linesAfter,
} from './yaml-layout.ts';

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
  return linesAfter(text, endOfContent(text, hosts), lines);
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
