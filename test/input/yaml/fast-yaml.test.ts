import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify, type ToStringOptions } from 'yaml';
import { draftFleet } from '../../../src/input/writing/draft-fleet.ts';
import { printYaml } from '../../../src/input/writing/fleet-draft.ts';
import { readFastYaml } from '../../../src/input/yaml/fast-yaml.ts';
import { changed, changesWith } from '../../given/edited-text.ts';
import { hostileFleets } from '../../given/hostile-fleet.ts';
import { documents } from './documents.ts';
import { readBothWays } from './same-reading.ts';

const root = join(import.meta.dirname, '../../..');

describe('the fast reader reads like the full one, or leaves the text to it', () => {
  test.each(documents)('%s: %s', (_, reader, text) => {
    expect(readBothWays(text)).toBe(reader);
  });

  test('every YAML file of the tests and the examples', () => {
    const files = ['test', 'examples'].flatMap((folder) => filesIn(folder, '.yaml'));
    const readers = files.map((file) => readBothWays(readFileSync(file, 'utf8')));
    expect(readers.filter((reader) => reader === 'fast').length).toBeGreaterThan(40);
  });

  test('every block of YAML in the documentation, and nearly all of them by the fast reader', () => {
    const blocks = [join(root, 'README.md'), ...filesIn('docs', '.md')].flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(/^```ya?ml\n(.*?)^```/gms), ([, block = '']) => block),
    );
    const left = blocks.filter((block) => readBothWays(block) === 'full');
    expect(blocks.length).toBeGreaterThan(10);
    expect(left.length).toBeLessThan(blocks.length / 4);
  });

  test('any fleet that we print', () => {
    fc.assert(
      fc.property(hostileFleets, (fleet) => {
        const draft = draftFleet(fleet, { companyId: '1234567890', antivirus: true });
        readBothWays(printYaml(draft));
      }),
      { numRuns: 200 },
    );
  });

  test('anything that the full one prints, in any style', () => {
    fc.assert(
      fc.property(trees, styles, (tree, style) => {
        readBothWays(stringify(tree, style));
      }),
      { numRuns: 500 },
    );
  });

  test('any file with random edits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...documents), fc.array(edits, { maxLength: 4 }), ([, , text], changes) => {
        readBothWays(changes.reduce(changed, text));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the fast reader', () => {
  test('reads what a generator writes for a large fleet', () => {
    const entries = Array.from(
      { length: 1_000 },
      (_, index) =>
        `  - id: ${9007199254740993n + BigInt(index)}\n    name: "BER-${index}"\n    group: Berlin\n`,
    );
    expect(readBothWays(`version: 1\nhosts:\n${entries.join('')}`)).toBe('fast');
  });

  test.each([
    ['a text in double quotation marks', `a: "${'x'.repeat(3_000_000)}"\n`],
    ['its escapes', `a: "${'\\n'.repeat(1_000_000)}"\n`],
    ['a text in single quotation marks', `a: '${"''".repeat(1_000_000)}'\n`],
    ['a text over many lines', `a: b\n${'  c\n'.repeat(300_000)}`],
    ['a block of many lines', `a: |\n${'  b\n'.repeat(300_000)}`],
    ['a block with many blank lines', `a: |\n  b\n${'\n'.repeat(1_000_000)}  c\n`],
    ['many blank lines', `a:\n${'\n'.repeat(1_000_000)}  b\n`],
    ['brackets', 'a: '.concat('['.repeat(3_000_000))],
  ])('is not limited by the length of %s', (_, text) => {
    expect(() => readFastYaml(text)).not.toThrow();
  });
});

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name));
}

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...'¦BER-WEB-01¦null¦~¦1¦-1¦a: b¦a #b¦- a¦[a]¦a\nb¦ a ¦---¦\t'.split('¦')),
);
const keys = fc.oneof(fc.constantFrom('id', 'name', 'group', 'a b', '<<', '?', 'a:'), texts);
const trees = fc.letrec((tie) => ({
  leaf: fc.oneof(texts, fc.bigInt(), fc.boolean(), fc.constant(null), fc.double()),
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
  ),
})).tree;

const quoted = ['QUOTE_DOUBLE', 'QUOTE_SINGLE'] as const;
const styles: fc.Arbitrary<ToStringOptions> = fc.record({
  collectionStyle: fc.constantFrom('any', 'block', 'flow'),
  defaultStringType: fc.constantFrom(...(['PLAIN', ...quoted, 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const)),
  defaultKeyType: fc.constantFrom(...([null, 'PLAIN', ...quoted] as const)),
  indent: fc.integer({ min: 1, max: 6 }),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 80),
  flowCollectionPadding: fc.boolean(),
  trailingComma: fc.boolean(),
});

const marks = [
  ...'¦\n  ¦\n ¦\r\n¦\\n¦\\x41¦|\n¦>-\n¦|+\n¦|2\n¦\n---\n¦\n...\n¦---¦...'.split('¦'),
  ...' ¦  ¦- ¦: ¦? ¦, ¦ #¦# ¦&a ¦!t ¦<<: ¦b: ¦{a: b}¦[a, b]¦null'.split('¦'),
  ...'"x"¦\'y\'¦*a¦a¦1'.split('¦'),
  ...Array.from('\n\r\t-:,#{}[]"\'\\|>%@`~é\u2028\u0085\u00a0\ufeff\u0000\ud800'),
];

const edits = changesWith(marks);
