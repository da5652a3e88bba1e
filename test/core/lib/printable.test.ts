import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printable } from '../../../src/core/lib/printable.ts';
import { visibleFormat } from '../../given/visible-format.ts';

describe('printable text', () => {
  test.each([
    ['\u001b[31mred', '␛[31mred'],
    ['\u001b]0;title\u0007', '␛]0;title␇'],
    ['two\nlines\r\n', 'two␊lines␍␊'],
    ['tab\t', 'tab␉'],
    ['\u0000\u007f', '␀␡'],
    ['\u009b31m', '‹U+009B›31m'],
    ['a\u202eb\u2066c\u200bd\ufeff', 'a‹U+202E›b‹U+2066›c‹U+200B›d‹U+FEFF›'],
    ['\u2028\u2029', '‹U+2028›‹U+2029›'],
    ['half \ud800', 'half ‹U+D800›'],
    ['\u{e0041}', '‹U+E0041›'],
    ['BER-01\ufe0f', 'BER-01‹U+FE0F›'],
    ['x\u034f\u17b4\u180b\ufe00\u{e0100}\u{e0fff}', 'x‹U+034F›‹U+17B4›‹U+180B›‹U+FE00›‹U+E0100›‹U+E0FFF›'],
    ['\u{1d173}\u{13430}', '‹U+1D173›‹U+13430›'],
  ])('of %j is %j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test.each([
    'BER-WEB-01',
    'Zürich',
    '東京',
    'Ελλάδα',
    'מחשב',
    '👍🏽',
    '☎\ufe0f',
    '☎\ufe0e',
    '1\ufe0f\u20e3',
    ' blanks ',
  ])('leaves %s unchanged', (text) => {
    expect(printable(text)).toBe(text);
  });

  test('has no format character of Unicode except visible ones', () => {
    const left = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).filter(
      (each) => /\p{Cf}/u.test(printable(each)) && !visibleFormat.test(each),
    );
    expect(left).toEqual([]);
  });

  test('never has a control character or a mark that reorders, and does not change when applied twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = printable(text);
        expect(shown).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        expect(shown.isWellFormed()).toBe(true);
        expect(printable(shown)).toBe(shown);
      }),
    );
  });
});
