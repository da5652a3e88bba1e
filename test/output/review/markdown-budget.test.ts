import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count } from '../../../src/core/lib/words.ts';
import { fitParts } from '../../../src/output/review/markdown-budget.ts';
import { blockOf, type MarkdownSection, sectionText } from '../../../src/output/review/markdown-section.ts';

const head = '# Head';
const row = fc.string({ unit: 'grapheme-ascii', minLength: 4, maxLength: 60 });
const blocks = fc.array(fc.array(row, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 3 });

describe('parts under a limit', () => {
  it('equal those of a renderer that renders every row and then cuts', () =>
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 3 }), fc.integer({ min: 150, max: 4000 }), (texts, limit) => {
        const sections = texts.map(sectionOf);
        const answers = cutTexts(sections, limit);
        fc.pre(answers.length > 0);
        const parts = sections.map((section) => ({ kind: 'tail', section }) as const);
        expect(answers).toContain(fitParts(head, parts, limit));
      }),
      { numRuns: 500 },
    ));

  it('render only the rows that fit', () => {
    let made = 0;
    const rows = Array.from({ length: 100_000 }, (_, index) => index);
    const painted = (index: number) => {
      made += 1;
      return `- row ${index}`;
    };
    const section = (): MarkdownSection => ({
      ...sectionOf([]),
      blocks: [blockOf(rows, { open: 'Rows:', row: painted })],
    });
    const parts = [section(), section()].map((each) => ({ kind: 'tail', section: each }) as const);
    const text = fitParts(head, parts, 10_000);
    expect(text.length).toBeGreaterThan(9_900);
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(made).toBeLessThan(2_500);
  });

  it('give room to the shorter one first, so that it may fit completely', () => {
    const [long, short] = [sectionOf([Array(200).fill('- a row')]), sectionOf([Array(10).fill('- a row')])];
    const parts = [long, short].map((section) => ({ kind: 'tail', section }) as const);
    expect(fitParts(head, parts, 500)).toContain(sectionText(short));
  });
});

function sectionOf(texts: readonly (readonly string[])[]): MarkdownSection {
  return {
    open: '<details>',
    blocks: texts.map((rows, index) => ({
      ...blockOf(rows, { open: `Block ${index}, which begins with a head:`, row: (text) => text }),
      ...(index === 1 ? { close: '```' } : {}),
    })),
    close: '</details>',
    rest: (rows, unseen) => `**${count(rows, 'more row')}**${unseen === 0 ? '' : `, ${unseen} of it unseen`}`,
  };
}

/** Every row rendered, then cut: one text for each order in which parts that must be cut may get their room. */
function cutTexts(sections: readonly MarkdownSection[], limit: number): readonly string[] {
  const all = sections.map((section) => {
    const rows = section.blocks.reduce((sum, block) => sum + block.count, 0);
    return Array.from({ length: rows + 1 }, (_, shown) => sectionText(section, shown));
  });
  const join = (texts: readonly string[]) => `${[head, ...texts].join('\n\n')}\n`;
  const longest = (texts: readonly string[], room: number) =>
    texts.findLast((text) => text.length <= room) as string;
  const least = all.map((texts) => longest(texts, (texts[0] as string).length));
  const spare = limit - join(least).length;
  if (spare < 0) return [];
  const need = (index: number) => {
    const whole = all[index]?.at(-1) as string;
    const more = whole.length - (least[index] as string).length;
    return Math.min(more, spare + 1);
  };
  return orders([...all.keys()].filter((index) => need(index) > 0))
    .filter((order) => order.every((index, at) => at === 0 || need(order[at - 1] as number) <= need(index)))
    .map((order) => {
      const texts = [...least];
      let left = spare;
      for (const [done, index] of order.entries()) {
        const room = (least[index] as string).length + Math.floor(left / (order.length - done));
        texts[index] = longest(all[index] as readonly string[], room);
        left -= texts[index].length - (least[index] as string).length;
      }
      return join(texts);
    });
}

function orders(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) =>
    orders(items.filter((each) => each !== first)).map((others) => [first, ...others]),
  );
}
