import type { Span } from '../sources/source-text.ts';
import type { YamlNode } from '../sources/yaml-tree.ts';
import { readWord } from './read-word.ts';
import { type Reading, report } from './reading.ts';
import { describeKind } from './scalar-kind.ts';

/** A list of words from a closed set. */
export function readWords<W extends string>(
  reading: Reading,
  node: YamlNode,
  key: string,
  words: readonly W[],
  at: Span,
): readonly W[] | undefined {
  if (node.kind !== 'sequence') {
    return report(reading, at, 'wrong-type', `"${key}" must be a list, not ${describeKind(node)}`, {
      hint: `write, for example, "${key}: [${words.slice(0, 2).join(', ')}]"`,
    });
  }
  return node.items.flatMap((item) => readWord(reading, item, `an item of "${key}"`, words) ?? []);
}
