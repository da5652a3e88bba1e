import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileAndLine } from '../../../src/core/problem/problem.ts';
import type { EncodedValue } from '../../../src/input/sources/script-output.ts';
import { sourceText, type YamlNode } from '../../../src/input/sources/source-text.ts';
import { encodeValue } from '../../../src/input/typescript/encode-value.ts';
import { scriptToTree } from '../../../src/input/typescript/script-to-tree.ts';
import { parseYaml } from '../../../src/input/yaml/parse-yaml.ts';

type Shape = readonly unknown[];

/** A tree without its places. */
function shapeOf(node: YamlNode): Shape {
  if (node.kind === 'scalar') return [node.text, node.plain];
  if (node.kind === 'sequence') return ['list', node.items.map(shapeOf)];
  return ['mapping', node.members.map(({ key, value }) => [key.text, shapeOf(value)])];
}

const text = fc.string({ unit: 'grapheme' }).filter((each) => each.isWellFormed());
const { tree: value } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 4 }),
  ),
}));
const fleet = fc.dictionary(text, value, { maxKeys: 4 });

test('a value is read like the equivalent YAML', () => {
  fc.assert(
    fc.property(fleet, (exported) => {
      const said = { version: 1, ...exported };
      const yaml = parseYaml(sourceText('fleet.yaml', JSON.stringify(said)));
      const script = scriptToTree('fleet.ts', { text: '', value: encodeValue(said), files: new Map() });
      if (!yaml.ok || !script.ok) throw new Error('one of the two is not read');
      expect(shapeOf(script.value.root)).toEqual(shapeOf(yaml.value));
    }),
  );
});

test('each value of a script has a place of its own, shown as its path', () => {
  const tree = scriptToTree('fleet.ts', {
    text: 'export default fleet;',
    value: encodeValue({ hosts: [{ id: 1, 'odd key': ['', ''] }], policy: {} }),
    files: new Map(),
  });
  if (!tree.ok) throw new Error('it is not read');
  const { root, text: source } = tree.value;
  const parts: unknown[] = [];
  const visit = (node: YamlNode) => {
    parts.push(source.placeOf(node).part);
    if (node.kind === 'sequence') for (const item of node.items) visit(item);
    if (node.kind === 'mapping') for (const member of node.members) visit(member.value);
  };
  visit(root);
  expect(parts).toEqual([
    undefined,
    undefined,
    'hosts',
    'hosts[0]',
    'hosts[0].id',
    'hosts[0]["odd key"]',
    'hosts[0]["odd key"][0]',
    'hosts[0]["odd key"][1]',
    'policy',
  ]);
});

test('the places of 50,000 values are found without reading all lines for each', () => {
  const hosts = Array.from(
    { length: 50_000 },
    (_, index): EncodedValue => ({
      members: [['name', 'PC']],
      ...(index % 2 === 0 ? { at: { file: 'hosts.ts', line: index + 1 } } : {}),
    }),
  );
  const lines = hosts.map(() => '  { name },\n').join('');
  const tree = scriptToTree('fleet.ts', {
    text: `const hosts = [\n${lines}];\nexport default { hosts };\n`,
    value: { members: [['hosts', { items: hosts }]] },
    files: new Map([['hosts.ts', { name: 'hosts.ts', text: lines }]]),
  });
  if (!tree.ok || tree.value.root.kind !== 'mapping') throw new Error('it is not read');
  const { root, text: source } = tree.value;
  const list = root.members.find(({ key }) => key.text === 'hosts')?.value;
  if (list?.kind !== 'sequence') throw new Error('it has no hosts');
  const lineOf = (item: YamlNode) => fileAndLine(source.placeOf(item));
  expect(list.items.map(lineOf)).toEqual(
    hosts.map((_, index) => (index % 2 === 0 ? `hosts.ts:${index + 1}` : 'fleet.ts:50003')),
  );
});
