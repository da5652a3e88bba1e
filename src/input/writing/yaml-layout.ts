import type { YamlNode } from '../sources/source-text.ts';
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

/** The end of a node's content: the parser counts trailing comments and blank lines as part of lists and mappings. */
export function endOfContent(text: string, node: YamlNode): number {
  if (node.kind === 'scalar' || isFlow(text, node) || isAliased(text, node)) return node.end;
  const last = node.kind === 'sequence' ? node.items.at(-1) : node.members.at(-1)?.value;
  return last === undefined ? node.end : endOfContent(text, last);
}

/** Inserts whole lines after the line that contains `end`, with the line break that the text uses. */
export function linesAfter(text: string, end: number, lines: readonly string[]): TextEdit {
  const lineBreak = lineBreakOf(text);
  if (text[end - 1] === '\n') return insertion(end, lines.map((line) => `${line}${lineBreak}`).join(''));
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
