import type { Span } from '../sources/source-text.ts';
import type { Member, YamlNode } from '../sources/yaml-tree.ts';
import { valueSpan } from './read-members.ts';
import { type Reading, report } from './reading.ts';
import { describeKind } from './scalar-kind.ts';

/** The valid items of a list. */
export function readItems<T>(
  reading: Reading,
  member: Member,
  example: string,
  readItem: (item: YamlNode) => T | undefined,
): readonly T[] {
  const { key, value } = member;
  if (value.kind === 'sequence') return value.items.flatMap((item) => readItem(item) ?? []);
  const message = `"${key.text}" must be a list, not ${describeKind(value)}`;
  report(reading, valueSpan(member), 'wrong-type', message, { hint: example });
  return [];
}

/** The span that represents an item is its first key. */
export function itemHead(node: YamlNode): Span {
  const first = node.kind === 'mapping' ? node.members[0] : undefined;
  return first === undefined ? node : { start: first.key.start, end: first.value.end };
}
