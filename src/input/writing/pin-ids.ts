import type { HostId } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { MappingNode, SourceText, YamlNode } from '../sources/source-text.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { TextEdit } from './text-edit.ts';
import { columnAt, insertion, isAliased, isFlow, lineBreakOf } from './yaml-layout.ts';

export interface IdPin {
  /** The start of the entry, as `Desired.placeOf` returns it. */
  readonly line: number;
  readonly col: number;
  readonly id: HostId;
}

export interface Pinning {
  readonly edits: readonly TextEdit[];
  /** Entries in a form that has no room for a key, such as an alias. */
  readonly refused: readonly IdPin[];
}

/** Adds ids to entries, as the first key of each, or replaces them; everything else in the file stays unchanged. */
export function pinIds(source: SourceText, pins: readonly IdPin[]): Result<Pinning> {
  const tree = parseYaml(source);
  if (!tree.ok) return tree;
  const entries = entriesByPlace(source, tree.value);
  const edits: TextEdit[] = [];
  const refused: IdPin[] = [];
  for (const pin of pins) {
    const entry = entries.get(`${pin.line}:${pin.col}`);
    const edit = entry === undefined ? undefined : pinEntry(source.text, entry, pin.id);
    if (edit === undefined) refused.push(pin);
    else edits.push(edit);
  }
  return ok({ edits, refused });
}

/** The place of an entry is that of its first key. */
function entriesByPlace(source: SourceText, root: YamlNode): ReadonlyMap<string, MappingNode> {
  const hosts = root.kind === 'mapping' ? root.members.find(({ key }) => key.text === 'hosts') : undefined;
  const entries = new Map<string, MappingNode>();
  if (hosts?.value.kind !== 'sequence' || isAliased(source.text, hosts.value)) return entries;
  for (const item of hosts.value.items) {
    const first = item.kind === 'mapping' ? item.members[0] : undefined;
    if (item.kind !== 'mapping' || first === undefined || isAliased(source.text, item)) continue;
    const { line, col } = source.placeOf(first.key);
    entries.set(`${line}:${col}`, item);
  }
  return entries;
}

function pinEntry(text: string, entry: MappingNode, id: HostId): TextEdit | undefined {
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
