import { type ProtectedFrom, protectedFrom } from '../model/desired.ts';
import { readWord } from './read-word.ts';
import { type Reading, report } from './reading.ts';
import { describeKind } from './scalar-kind.ts';
import type { Span } from './source-text.ts';
import type { YamlNode } from './yaml-tree.ts';

/** A list of what may not be done to a host. */
export function readProtect(
  reading: Reading,
  node: YamlNode,
  at: Span,
): readonly ProtectedFrom[] | undefined {
  if (node.kind !== 'sequence') {
    return report(reading, at, 'wrong-type', `"protect" must be a list, not ${describeKind(node)}`, {
      hint: 'write, for example, "protect: [delete, rename]"',
    });
  }
  return node.items.flatMap((item) => readWord(reading, item, 'what "protect" lists', protectedFrom) ?? []);
}
