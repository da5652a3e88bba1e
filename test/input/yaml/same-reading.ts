import { expect } from 'vitest';
import { type SourceText, sourceText, type YamlNode } from '../../../src/input/sources/source-text.ts';
import { readFastYaml } from '../../../src/input/yaml/fast-yaml.ts';
import { readFullYaml } from '../../../src/input/yaml/full-yaml.ts';

/** Holds the fast reader to the full one's tree and places, or to leaving the text to it. Which of the two it did. */
export function readBothWays(text: string): 'fast' | 'full' {
  const fast = readFastYaml(text);
  if (fast === undefined) return 'full';
  const source = sourceText('fleet.yaml', text);
  const full = readFullYaml(source);
  expect({ text, problems: full.problems }).toEqual({ text, problems: [] });
  if (!full.ok) throw new Error('unreachable');
  expect({ text, tree: shown(fast, source) }).toEqual({ text, tree: shown(full.value, source) });
  return 'fast';
}

/**
 * The visible part of a tree. The full reader assigns some comments below a list or mapping to it, but a place ends
 * with its line, so the end of those is never visible.
 */
function shown(node: YamlNode, source: SourceText): unknown {
  const isOfLines = node.kind !== 'scalar' && !/[[{]/.test(source.text.charAt(node.start));
  const at = isOfLines ? source.placeOf(node) : [node.start, node.end];
  switch (node.kind) {
    case 'scalar':
      return { at, text: node.text, plain: node.plain };
    case 'sequence':
      return { at, items: node.items.map((item) => shown(item, source)) };
    case 'mapping':
      return {
        at,
        members: node.members.map(({ key, value }) => [shown(key, source), shown(value, source)]),
      };
  }
}
