import { expect, test } from 'vitest';
import { sourceText } from '../../src/input/sources/source-text.ts';
import { spanInScalar } from '../../src/input/values/span-in-scalar.ts';
import { parseYaml } from '../../src/input/yaml/parse-yaml.ts';

/** The position of the word `wrong` of a scalar's value in the file. */
function locate(text: string): string {
  const source = sourceText('f.yaml', text);
  const tree = parseYaml(source);
  if (!tree.ok || tree.value.kind !== 'mapping') throw new Error('not a mapping');
  const scalar = tree.value.members.at(-1)?.value;
  if (scalar?.kind !== 'scalar') throw new Error('not a scalar');
  const start = scalar.text.indexOf('wrong');
  const { start: from, end } = spanInScalar(source, scalar, { start, end: start + 'wrong'.length });
  return text.slice(from, end);
}

test.each([
  ['plain', 'when: a == wrong && b\n'],
  ['plain, over two lines', 'when: a ==\n  wrong && b\n'],
  ['in double quotation marks', 'when: "a == wrong"\n'],
  ['with escaped quotation marks', String.raw`when: "a == \"x\" && wrong == \"y\\z\""` + '\n'],
  ['in single quotation marks', 'when: \'a == "x" && wrong\'\n'],
  ['with doubled quotation marks', "when: 'a == ''x'' && wrong'\n"],
  ['quoted, over several lines', 'when: "a ==\n\n   b &&\n   wrong"\n'],
  ['a folded block', 'when: >-\n  a == b &&\n  wrong\n'],
  ['a folded block with a comment on its head', 'when: > # why\n  a == b &&\n\n  wrong\n'],
  ['a literal block', 'when: |\n  a == b &&\n    c &&\n  wrong\n'],
  ['with the line ends of Windows', 'when: >-\r\n  a == b &&\r\n  wrong\r\n'],
])('the place is exact: %s', (_what, text) => {
  expect(locate(text)).toBe('wrong');
});

test.each([
  [
    'an escape that stands for another character',
    String.raw`when: "a \u003d= wrong"` + '\n',
    String.raw`"a \u003d= wrong"`,
  ],
  ['an alias', 'base: &w a == wrong\nwhen: *w\n', '*w'],
])('the place is the whole scalar if the two differ: %s', (_what, text, whole) => {
  expect(locate(text)).toBe(whole);
});
