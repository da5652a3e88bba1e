import type { EntryAttribute } from '../../core/model/entry.ts';
import { entryAttributes } from '../schema/entry-fields.ts';
import type { MappingNode, Span } from '../sources/source-text.ts';
import { itemHead, valueSpan } from '../values/reading.ts';

const attributes: readonly string[] = entryAttributes;
/** An additional index after those of `attributes`: the first key of an entry. */
const head = attributes.length;

/**
 * Keeps the spans of entries and their attributes without keeping the trees. It needs a few bytes for each attribute and
 * no object, which makes planning many entries faster.
 */
export function entrySpans(
  nodes: readonly MappingNode[],
): (index: number, attribute?: EntryAttribute) => Span {
  const size = nodes.reduce((sum, { members }) => sum + 1 + members.length, 0);
  const firsts = new Uint32Array(nodes.length + 1);
  const kinds = new Uint8Array(size);
  const starts = new Uint32Array(size);
  const ends = new Uint32Array(size);
  let count = 0;
  const add = (kind: number, { start, end }: Span) => {
    kinds[count] = kind;
    starts[count] = start;
    ends[count] = end;
    count += 1;
  };
  for (const [index, node] of nodes.entries()) {
    add(head, itemHead(node));
    for (const member of node.members) add(attributes.indexOf(member.key.text), valueSpan(member));
    firsts[index + 1] = count;
  }

  return (index, attribute) => {
    const first = firsts[index] as number;
    const kind = attribute === undefined ? head : attributes.indexOf(attribute);
    const found = kinds.subarray(first, firsts[index + 1]).indexOf(kind);
    const at = found === -1 ? first : first + found;
    return { start: starts[at] as number, end: ends[at] as number };
  };
}
