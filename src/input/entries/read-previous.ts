import { quoted } from '../../core/lib/quoted.ts';
import type { Span } from '../sources/source-text.ts';
import { readText } from '../values/read-text.ts';
import { type Reading, warn } from '../values/reading.ts';
import type { YamlNode } from '../yaml/yaml-tree.ts';

/** A list of names, or one name. */
export function readPrevious(reading: Reading, node: YamlNode, at: Span): readonly string[] | undefined {
  if (node.kind !== 'sequence') {
    const name = readText(reading, node, 'a previous name', at);
    return name === undefined ? undefined : [name];
  }
  const names = new Set<string>();
  for (const item of node.items) {
    const name = readText(reading, item, 'a previous name');
    if (name === undefined) continue;
    if (names.has(name)) {
      warn(reading, item, 'invalid-value', `the previous name ${quoted(name)} appears twice`);
    }
    names.add(name);
  }
  return [...names];
}
