import { expect } from 'vitest';
import { type SourceText, sourceText } from '../../../src/input/sources/source-text.ts';
import { readAnyYaml } from '../../../src/input/yaml/read-any-yaml.ts';
import { readCommonYaml } from '../../../src/input/yaml/read-common-yaml.ts';
import type { YamlNode } from '../../../src/input/yaml/yaml-tree.ts';

/** Holds the quick reader to the general one's tree and places, or to leaving the text to it. Which of the two it did. */
export function readBothWays(text: string): 'common' | 'left' {
  const common = readCommonYaml(text);
  if (common === undefined) return 'left';
  const source = sourceText('fleet.yaml', text);
  const any = readAnyYaml(source);
  expect({ text, problems: any.problems }).toEqual({ text, problems: [] });
  if (!any.ok) throw new Error('unreachable');
  expect({ text, tree: shown(common, source) }).toEqual({ text, tree: shown(any.value, source) });
  return 'common';
}

/**
 * A tree as far as anyone sees it. The general reader counts some of the comments below a list or mapping of lines to
 * it: a place ends with its line, so that nobody sees where those end.
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
