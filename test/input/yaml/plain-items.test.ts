import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EntryAttribute } from '../../../src/core/model/entry.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import { entryAttributes } from '../../../src/input/schema/entry-fields.ts';
import { decodeSource, type Source } from '../../../src/input/sources/decode-source.ts';
import type { YamlNode } from '../../../src/input/sources/source-text.ts';
import { readFastYaml } from '../../../src/input/yaml/fast-yaml.ts';
import { readFullYaml } from '../../../src/input/yaml/full-yaml.ts';
import { casesOf } from '../../given/cases.ts';
import { changed, changesWith } from '../../given/edited-text.ts';
import { readBothWays } from './same-reading.ts';

/** How many items stay in the text, or the full reader if the fast one leaves the file to it. */
type Plain = `${number} of ${number}` | 'full';

const lists: readonly (readonly [title: string, plain: Plain, text: string])[] = [
  ['ids, names and groups', '2 of 2', '  - id: 1\n    name: WEB-1\n    group: Berlin 1\n  - name: WEB-2\n'],
  ['no indentation', '2 of 2', '- id: 1\n- id: 2\n'],
  ['much indentation', '2 of 2', '          -   id: 1\n              name: WEB-1\n          - id: 2\n'],
  ['indentation that changes', '2 of 2', '  - id: 1\n    name: WEB-1\n  -     id: 2\n        name: WEB-2\n'],
  ['keys in another order', '1 of 1', '  - group: Berlin\n    name: WEB-1\n    id: 1\n'],
  ['Windows line ends', '2 of 2', '  - id: 1\r\n    name: WEB-1\r\n  - id: 2\r\n'],
  ['no line end at the end', '1 of 1', '  - id: 1\n    name: WEB-1'],
  ['a carriage return at the very end', 'full', '  - id: 1\r'],
  ['a carriage return in a name', 'full', '  - name: WEB\r1\n'],
  [
    'comments and blank lines',
    '3 of 3',
    '# a\n  - id: 1\n  # b\n\n  - id: 2\n       # c\n   \n  - id: 3\n\n# d\n',
  ],
  ['a comment within an item', '0 of 1', '  - id: 1\n# a\n    name: WEB-1\n'],
  ['a comment after an item, below its keys', '0 of 1', '  - id: 1\n    # a\n'],
  ['a comment after a value', '1 of 2', '  - id: 1 # a\n  - id: 2\n'],
  ['blanks after values', '0 of 2', '  - id: 1 \n  - name: "WEB-1" \n'],
  ['many blanks before values', '1 of 1', '  - id:    1\n    name:  "WEB-1"\n'],
  ['a blank before a colon', '0 of 1', '  - id : 1\n'],
  ['keys in quotation marks', '0 of 1', '  - "id": 1\n'],
  ['a key below the hyphen', '0 of 1', '  -\n    id: 1\n'],
  ['an item without a value', '1 of 2', '  -\n  - id: 1\n'],
  ['a value below its key', '0 of 1', '  - id:\n      1\n'],
  ['a key without a value', '0 of 2', '  - id: 1\n    name:\n  - name: WEB-1\n    group:\n'],
  [
    'other keys',
    '1 of 3',
    '  - id: 1\n    antivirus: installed\n  - id: 2\n  - name: WEB-1\n    ensure: absent\n',
  ],
  ['a group alone', '0 of 1', '  - group: Berlin\n'],
  ['keys twice', '0 of 2', '  - id: 1\n    id: 1\n  - name: WEB-1\n    group: A\n    name: WEB-2\n'],
  ['flow style', '1 of 3', '  - { id: 1 }\n  - id: 2\n  - {"id":3,"name":"WEB-3"}\n'],
  ['a group by its id', '0 of 1', '  - id: 1\n    group: { id: 17 }\n'],
  [
    'no group',
    '1 of 4',
    '  - id: 1\n    group: null\n  - id: 2\n    group: ~\n  - id: 3\n    group: NULL\n  - id: 4\n    group: "null"\n',
  ],
  [
    'what means no group in tables',
    '1 of 2',
    '  - id: 1\n    group: "(none)"\n  - id: 2\n    group: (none)\n',
  ],
  ['single quotation marks', '1 of 2', "  - name: 'WEB-1'\n  - name: 'it''s'\n"],
  ['double quotation marks', '2 of 3', '  - name: "WEB: 1 # a"\n  - name: "a\\tb"\n  - name: "19\'"\n'],
  ['blanks in quotation marks', '0 of 3', '  - name: " a"\n  - name: "b "\n  - name: " "\n'],
  ['empty quotation marks', '0 of 1', '  - id: 1\n    name: ""\n'],
  ['ids in quotation marks', '2 of 2', '  - id: "1"\n  - id: \'2\'\n'],
  [
    'ids in other forms',
    '0 of 7',
    '  - id: 01\n  - id: +1\n  - id: -1\n  - id: 0x1\n  - id: 1_0\n  - id: 1.0\n  - id: 1e3\n',
  ],
  ['ids at the end of 64 bits', '1 of 2', '  - id: 9223372036854775807\n  - id: 9223372036854775808\n'],
  ['an id of many digits', '0 of 1', `  - id: ${'1'.repeat(400)}\n`],
  [
    'names that are numbers',
    '0 of 6',
    '  - name: 17\n  - name: 1.5\n  - name: 1e3\n  - name: 0x1F\n  - name: 0o17\n  - name: .5\n',
  ],
  ['names that are numbers in quotation marks', '2 of 2', '  - name: "17"\n  - name: \'1.5\'\n'],
  ['names that begin like numbers', '2 of 3', '  - name: 17-WEB\n  - name: 1.5 GHz\n  - name: -web\n'],
  ['names that are dates', '0 of 2', '  - name: 2027-01-31\n  - name: 2027-01\n'],
  [
    'names with a meaning',
    '0 of 7',
    '  - name: null\n  - name: True\n  - name: FALSE\n  - name: ~\n  - name: .inf\n  - name: .NaN\n  - name: Null\n',
  ],
  ['names that begin like them', '3 of 3', '  - name: nullify\n  - name: true-1\n  - name: FALSE-1\n'],
  [
    'words that only YAML 1.1 knows',
    '4 of 6',
    '  - name: yes\n  - name: off\n  - name: on\n  - name: y\n  - name: no\n  - name: NO\n',
  ],
  ['texts that begin with a mark', '0 of 4', '  - name: =a\n  - name: (a)\n  - name: /a\n  - name: <<\n'],
  ['marks within texts', '1 of 3', '  - name: a,[b]{c}&d*e!f|g>h\'i"j%k@l`m\n  - name: a:b\n  - name: a#b\n'],
  ['a text over two lines', '0 of 1', '  - name: WEB\n      1\n'],
  ['a text over two lines, the second with little indentation', 'full', '  - name: WEB\n   1\n'],
  ['a list under a hyphen', '0 of 1', '  - - id: 1\n'],
  [
    'letters beyond ASCII',
    '4 of 4',
    '  - name: Zürich\n    group: Größe\n  - name: 東京🗼\n  - name: a🗼\n  - name: éa\n',
  ],
  [
    'invisible letters',
    '0 of 4',
    '  - name: a\u200bb\n  - name: a\u00a0\n  - name: a\u2028b\n  - name: \u0085a\n',
  ],
  ['temporary names', '0 of 1', '  - name: WEB-1 ~rampart~3f9a1c\n'],
  ['tabs', 'full', '  - name: "a\tb"\n  - id:\t1\n  -\tid: 2\n'],
  ['a lone surrogate', '0 of 1', '  - name: "a\ud800"\n'],
  ['ids that spreadsheets round', '1 of 1', '  - id: 1234567890123450\n'],
  ['ids and names twice', '4 of 4', '  - id: 1\n  - id: 1\n  - name: WEB-1\n  - name: web-1\n'],
  ['a quotation mark that is never closed', 'full', '  - name: "a\n\n  - id: 1\n'],
  ['a key that is not indented enough', 'full', '  - id: 1\n   name: A\n'],
  ['an anchor', 'full', '  - &a\n    id: 1\n  - id: 2\n'],
  ['a document end', 'full', '  - id: 1\n...\n'],
];

/** Before and after the list. */
const frames: readonly (readonly [before: string, after: string])[] = [
  ['version: 1\nhosts:\n', ''],
  ['hosts:\n', 'version: 1\n'],
  ['---\nversion: 1\n"hosts":   # a\n', '# b\nunmanaged: keep\n'],
];

describe('plain items stay in the text and are read like all others', () => {
  test.each(lists)('%s: %s', (_, plain, list) => {
    const [[before, after] = ['', '']] = frames;
    expect(plainOf(before + list + after)).toBe(plain);
    for (const [head, tail] of frames) expectSameDesired([head + list + tail]);
  });

  test('several files, with the same hosts in two of them', () => {
    const texts = lists.map(([, , list]) => `version: 1\nhosts:\n${list}`);
    for (const text of texts) expectSameDesired([text, 'version: 1\nhosts:\n- id: 2\n- name: WEB-1\n', text]);
    expectSameDesired(texts);
  });

  test('more mistakes than are shown', () => {
    const list = '  - id: 1\n  - id: x\n  - name: A\n    name: A\n'.repeat(700);
    expect(expectSameDesired([`version: 1\nhosts:\n${list}`])).toBe(1_000);
  });

  test('more warnings than are shown', () => {
    const list = Array.from(
      { length: 1_200 },
      (_, index) => `  - name: A-${index}\n  - name: "B-${index} "\n`,
    );
    expect(expectSameDesired([`version: 1\nhosts:\n${list.join('')}`])).toBe(1_000);
  });

  test('more mistakes before the list than are shown', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `key${index}: 1\n`).join('');
    expect(expectSameDesired([`${keys}hosts:\n  - name: "A "\n  - id: 1\n`])).toBe(1_000);
  });

  test('only the list under the key "hosts"', () => {
    expect(plainOf('hosts: [{ id: 1 }]\n')).toBe('0 of 1');
    expect(plainOf('hosts:\n  a:\n    - id: 1\n')).toBeUndefined();
  });

  test.each([
    ['below another key', (index: number) => `a${index}:\n  hosts:\n    - id: ${index}\n`, 0],
    ['again and again', (index: number) => `hosts:\n  - id: ${index}\n`, 1],
    ['in a list', (index: number) => `- hosts:\n    - id: ${index}\n`, 0],
  ] as const)('the columns of a file are made once at most, with the key %s', (_where, part, made) => {
    let columns = 0;
    const count = (node: YamlNode): void => {
      if (node.kind === 'sequence') {
        if (node.rows === undefined) node.items.forEach(count);
        else columns += 1;
      } else if (node.kind === 'mapping') for (const { value } of node.members) count(value);
    };
    const tree = readFastYaml(Array.from({ length: 50 }, (_, index) => part(index)).join(''));
    if (tree === undefined) throw new Error('the fast reader does not read it');
    count(tree);
    expect(columns).toBe(made);
  });

  test('files of random items', () => {
    let plain = 0;
    fc.assert(
      fc.property(fc.array(files, { minLength: 1, maxLength: 3 }), (texts) => {
        expectSameDesired(texts);
        for (const text of texts) {
          if (readBothWays(text) === 'fast') plain += Number.parseInt(plainOf(text) ?? '0', 10);
        }
      }),
      casesOf(2_000),
    );
    expect(plain).toBeGreaterThan(300);
  });

  test('lists with random edits', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...lists),
        fc.constantFrom(...frames),
        fc.array(edits, { maxLength: 3 }),
        ([, , list], [before, after], changes) => {
          const text = changes.reduce(changed, before + list + after);
          expectSameDesired([text]);
          readBothWays(text);
        },
      ),
      casesOf(4_000),
    );
  });

  test('every character beyond ASCII at the start, in the middle and at the end of names', () => {
    const items = Array.from({ length: 0x20000 - 0x80 }, (_, index) => String.fromCodePoint(0x80 + index))
      .filter((each, at) => each.isWellFormed() && !/[\p{L}\p{M}\p{N}]/u.test(each) && isSampled(each, at))
      .map((each, index) => `- name: ${each}${index}${each}b${each}\n`);
    for (let at = 0; at < items.length; at += 900) {
      expectSameDesired([`version: 1\nhosts:\n${items.slice(at, at + 900).join('')}`]);
    }
  });
});

/** Of the many characters without a meaning, only some. */
const isSampled = (character: string, at: number) => at % 16 === 0 || !/[\p{Cn}\p{Co}]/u.test(character);

function plainOf(text: string): Plain | undefined {
  const tree = readFastYaml(text);
  if (tree === undefined) return 'full';
  const list = tree.kind === 'mapping' ? tree.members.find(({ key }) => key.text === 'hosts') : undefined;
  if (list?.value.kind !== 'sequence') return undefined;
  const { rows, items } = list.value;
  return `${rows === undefined ? 0 : rows.columns.count - rows.others.length} of ${items.length}`;
}

/** Compares everything that a desired state has, and every problem, with what the full reader's trees give. */
function expectSameDesired(texts: readonly string[]): number {
  const sources = texts.map((text, index): Source => ({ file: `${index}.yaml`, text }));
  const parsed = sources.map((source): Source => {
    const text = decodeSource(source);
    const tree = text.ok ? readFullYaml(text.value) : text;
    return text.ok && tree.ok ? { ...source, parsed: { text: text.value, root: tree.value } } : source;
  });
  const [mixed, full] = [readDesired(sources), readDesired(parsed)];
  expect({ texts, problems: mixed.problems }).toEqual({ texts, problems: full.problems });
  expect({ texts, read: mixed.ok && shown(mixed.value) }).toStrictEqual({
    texts,
    read: full.ok && shown(full.value),
  });
  return full.problems.length;
}

function shown(desired: Extract<ReturnType<typeof readDesired>, { readonly ok: true }>['value']) {
  const asked: readonly (EntryAttribute | undefined)[] = [undefined, ...entryAttributes];
  const entries = Array.from({ length: desired.count }, (_, index) => ({
    entry: desired.at(index),
    isPlain: desired.isPlainAt(index),
    told: [desired.idAt(index), desired.nameAt(index), desired.groupAt(index)],
    places: asked.map((attribute) => desired.placeOf(index, attribute)),
    positions: asked.map((attribute) => desired.positionOf(index, attribute)),
  }));
  return { entries, hashes: [desired.idHashes(), desired.nameHashes()] };
}

const oddValues = fc.oneof(
  fc.constantFrom(
    ...'null¦~¦true¦No¦0x1F¦1.5¦-1¦+1¦01¦2027-01-31¦.inf¦9223372036854775807¦9223372036854775808'.split('¦'),
    ...'a: b¦a #b¦a # b¦"a"¦"a" ¦\'it\'\'s\'¦"\\u0041"¦""¦{ id: 17 }¦[a]¦*a¦&a b¦!t b¦|¦>-¦¦ ¦(none)'.split(
      '¦',
    ),
    ...'Zürich¦東京🗼¦a\u200b¦\u00a0a¦a\tb¦a ~rampart~3f9a1c¦- a¦? a¦a\r'.split('¦'),
  ),
  fc.string({ maxLength: 6 }),
);
const usualValues = {
  id: fc.constantFrom('17', '"17"', '18', '9007199254740993', '1234567890123450'),
  name: fc.constantFrom('WEB-1', '"WEB-2"', "'WEB-2'", 'Größe', 'null-1', '17 a', '"17"', 'T1'),
  group: fc.constantFrom('Berlin 1', 'Berlin 1', '"null"', 'null'),
};
type UsualKey = keyof typeof usualValues;
const usualMembers = fc
  .shuffledSubarray(Object.keys(usualValues) as UsualKey[], { minLength: 1 })
  .chain((keys) => fc.tuple(...keys.map((key) => usualValues[key].map((value) => `${key}: ${value}`))));
const oddMembers = fc.array(
  fc
    .tuple(fc.constantFrom('id', 'name', 'group', 'antivirus', 'ensure', 'nmae'), oddValues)
    .map(([key, value]) => `${key}: ${value}`),
  { minLength: 1, maxLength: 3 },
);
const items = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: usualMembers }, oddMembers),
    fc.constantFrom('', '', '', '', '', '# a', ' ', '   # a', '      a', '    # a'),
    fc.constantFrom(1, 1, 1, 3),
  )
  .map(([members, after, blanks]) => {
    const margin = ' '.repeat(1 + blanks);
    return [`-${' '.repeat(blanks)}${members.join(`\n${margin}`)}`, ...(after === '' ? [] : [after])].join(
      '\n',
    );
  });
const files = fc
  .tuple(
    fc.array(items, { maxLength: 5 }),
    fc.constantFrom('', '', '  ', '     '),
    fc.constantFrom('\n', '\n', '\r\n'),
    fc.constantFrom(...frames),
    fc.boolean(),
  )
  .map(([list, margin, lineEnd, [before, after], isEnded]) => {
    const lines = list.flatMap((item) => item.split('\n').map((line) => `${margin}${line}\n`));
    const text = `${before}${lines.join('')}${after}`;
    return (isEnded ? text : text.trimEnd()).replaceAll('\n', lineEnd);
  });

const marks = [
  ...'¦\n  ¦\n ¦\r\n¦\n- ¦\n---\n¦\n...\n¦- id: 1\n¦    name: A\n¦ #¦# ¦: ¦null¦true¦0x¦ ¦  '.split('¦'),
  ...Array.from('\n\r\t-:,#{}[]"\'\\|>%@`~&*!?+.01nTé\u2028\u0085\u00a0\ufeff\u200b\ud800'),
];

const edits = changesWith(marks);
