import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlCode, markdownCode, printable } from '../../../src/core/lib/printable.ts';
import { hostileName, hostileNames } from '../../given/hostile-names.ts';
import { codeTextsOf, elementsOf, proseOf, renderMarkdown } from '../../given/rendered-markdown.ts';

describe('untrusted text in Markdown', () => {
  for (const [title, text, written] of [
    ['stands in a code span', 'BER-WEB-01', '`BER-WEB-01`'],
    ['keeps what means nothing in code', '@org/team #12 <b> https://x', '`@org/team #12 <b> https://x`'],
    ['keeps a bar in a table cell', 'a|b', '<code>a&#124;b</code>'],
    ["can't close its span", 'a`b', '<code>a&#96;b</code>'],
    ['keeps its blanks', ' a ', '<code> a </code>'],
    ['is no address across elements', '`a@b.co', '<code>&#96;a&#64;</code><code>b&#46;co</code>'],
    ['stays on one line', 'a\n\nb', '`a␊␊b`'],
    ['shows what changes direction', 'a\u202eb', '`a‹U+202E›b`'],
  ] as const) {
    it(title, () => expect(markdownCode(text)).toBe(written));
  }

  for (const { where, around, elements } of [
    { where: 'a paragraph', around: (code: string) => `host ${code} here`, elements: ['p', 'code'] },
    { where: 'a list item', around: (code: string) => `- ${code} 17`, elements: ['ul', 'li', 'code'] },
    {
      where: 'a table cell',
      around: (code: string) => `| a | b |\n| --- | --- |\n| ${code} | ${code} |`,
      elements: ['table', 'thead', 'tr', 'th', 'tbody', 'td', 'code'],
    },
  ]) {
    const isSafe = (name: string) => {
      const html = renderMarkdown(around(markdownCode(name)));
      expect(elementsOf(html)).toEqual(elements);
      expect(new Set(codeTextsOf(html))).toEqual(new Set([printable(name)]));
      expect(proseOf(html).replace(/\s+/g, ' ').trim()).toBe(
        proseOf(renderMarkdown(around('`x`')))
          .replace(/\s+/g, ' ')
          .trim(),
      );
    };
    it(`every hostile name is text in ${where}`, () => hostileNames.forEach(isSafe));
    it(`any name is text in ${where}`, () => {
      fc.assert(fc.property(hostileName, isSafe), { numRuns: 100 });
    });
  }

  it('any name is text in a summary', () => {
    fc.assert(
      fc.property(hostileName, (name) => {
        const html = renderMarkdown(
          `<details>\n<summary>to ${htmlCode(name)}</summary>\n\ntext\n\n</details>`,
        );
        expect(elementsOf(html)).toEqual(['details', 'summary', 'code', 'p']);
        expect(codeTextsOf(html)).toEqual([printable(name)]);
      }),
      { numRuns: 100 },
    );
  });
});
