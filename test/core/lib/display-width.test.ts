import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutToCells, displayWidth } from '../../../src/core/lib/display-width.ts';

describe('the width of a text in cells', () => {
  test.each([
    ['', 0],
    ['BER-WEB-01', 10],
    ['Zürich', 6],
    ['Zu\u0308rich', 6],
    ['Ελλάδα', 6],
    ['Москва', 6],
    ['東京', 4],
    ['ﾄｳｷｮｳ', 5],
    ['ＡＢＣ', 6],
    ['한국', 4],
    ['\u1112\u1161\u11ab', 2],
    ['、。', 4],
    ['…', 1],
    ['␛', 1],
    ['‹U+202E›', 8],
    ['👍', 2],
    ['👍🏽', 2],
    ['👨\u200d👩\u200d👧', 2],
    ['🇩🇪', 2],
    ['☂', 1],
    ['☂\ufe0f', 2],
    ['1\ufe0f\u20e3', 2],
    ['נ\u05b8', 1],
    ['ก\u0e33', 2],
    ['𠀀', 2],
  ])('of %s is %i', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test('is one for each plain character', () => {
    const ranges = [
      [0x20, 0x7e],
      [0xa1, 0xac],
      [0xae, 0x2ff],
      [0x2010, 0x2027],
      [0x2190, 0x21ff],
    ] as const;
    for (const [first, last] of ranges) {
      for (let code = first; code <= last; code += 1)
        expect(displayWidth(`${String.fromCharCode(code)}東`), `U+${code.toString(16)}`).toBe(3);
    }
  });

  test('is the sum of the widths of its words', () => {
    const word = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(displayWidth(`${a} ${b}`)).toBe(displayWidth(a) + 1 + displayWidth(b));
      }),
    );
  });
});

describe('fitting a text into cells', () => {
  test.each([
    ['BER-WEB-01', 10, 'BER-WEB-01'],
    ['BER-WEB-01', 5, 'BER-…'],
    ['東京サーバー', 6, '東京…'],
    ['👨\u200d👩\u200d👧x👍', 3, '👨\u200d👩\u200d👧…'],
    ['abc', 1, '…'],
  ])('cuts %s to %i cells', (text, cells, expected) => {
    expect(cutToCells(text, cells)).toBe(expected);
  });

  test('never cuts to more cells than asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, cells) => {
        expect(displayWidth(cutToCells(text, cells))).toBeLessThanOrEqual(cells);
      }),
    );
  });
});
