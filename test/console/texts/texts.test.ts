import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textsOf } from './texts-of.ts';

const root = join(import.meta.dirname, '../../../src/console');
const files = globSync('**/*.{ts,tsx}', { cwd: root })
  .toSorted()
  .map((path) => ({ path, texts: textsOf(path, readFileSync(join(root, path), 'utf8')) }));

/** A page has a folder. The texts that all pages share are below those of their folder. */
const pages = Map.groupBy(files, ({ path }) => /^(?:pages\/)?([^/]+)\//.exec(path)?.[1] ?? 'shell');

it.each([...pages])(
  'the texts of the console in %s are as reviewed: run this test with -u, and read the difference',
  async (page, parts) => {
    const lines = parts
      .filter(({ texts }) => texts.length > 0)
      .map(({ path, texts }) => `# ${path}\n${texts.join('\n')}\n`);
    await expect(lines.join('\n')).toMatchFileSnapshot(`../../golden/console/${page}.txt`);
  },
);

it('the texts of the console use the words of the project, straight quotes and no dashes', () => {
  const avoided =
    /\p{L}.*[\u2013\u2014\u2018\u2019\u201c\u201d]|\b(?:roll-outs?|tenants?|squatters?|doomed|unclaimed|asked for|told|tells?|ticks?|picks?|of which|by whom|lacks?|gone|once more|is to be|are to be|moved by hand)\b/iu;
  const texts = files.flatMap(({ texts: each }) => each);
  expect(texts.length).toBeGreaterThan(900);
  expect(texts.filter((text) => avoided.test(text))).toEqual([]);
});

describe('the list of texts has', () => {
  it.each([
    ['the text of an element', '<p>Nothing yet</p>', ['Nothing yet']],
    [
      'a line with links and values as one text',
      '<p>All {n} of <a href="/x y">the list</a>.</p>',
      ['All {} of the list.'],
    ],
    ['one word in an element', '<b>none</b>', ['none']],
    [
      'attributes that people see',
      '<X title="none" aria-label="Close it" class="a b" />',
      ['none', 'Close it'],
    ],
    ['attributes of elements in a line', '<p>See <a title="The list">it</a></p>', ['See it', 'The list']],
    [
      'both sides of a condition in a line',
      "<p>is {a ? 'not known' : `${b} old`}</p>",
      ['is {}', 'not known', '{} old'],
    ],
    ['sentences in code', "say('It is done.')", ['It is done.']],
    ['fields that people see', "const x = { title: 'kind', id: 'kind' }", ['kind']],
    ['no code', "document.querySelector('main a'); if (key === 'Enter') get('/a', 'POST')", []],
  ])('%s', (_case, source, expected) => {
    expect(textsOf('a.tsx', source)).toEqual(expected);
  });
});
