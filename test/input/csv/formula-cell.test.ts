import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromFormulaCell, toFormulaCell } from '../../../src/input/csv/formula-cell.ts';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .tuple(fc.stringMatching(/^'{0,3}$/), fc.constantFrom('=1+1', '+x', '-1', '@SUM(A1)', '＝1', 'BER-1', ''))
    .map((parts) => parts.join('')),
);

describe('a cell of a table', () => {
  test.each([
    ['=HYPERLINK("http://x","y")', '\'=HYPERLINK("http://x","y")'],
    ['+1', "'+1"],
    ['-BER', "'-BER"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ["'=1", "''=1"],
    ['BER-1', 'BER-1'],
    ["'quoted'", "'quoted'"],
  ])('%s is written as %s, and raw only if it has to be', (text, cell) => {
    expect(toFormulaCell(text, { raw: false })).toBe(cell);
    expect(toFormulaCell(text, { raw: true })).toBe(text.startsWith("'=") ? cell : text);
  });

  test('never begins as a formula does, and reads back as the same text, raw or not', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, raw) => {
        const cell = toFormulaCell(text, { raw });
        expect(fromFormulaCell(cell)).toBe(text);
        if (!raw) expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
      }),
    );
  });
});
