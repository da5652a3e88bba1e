import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/core/lib/printable.ts';
import type { Column } from '../../../src/output/review/columns.ts';
import { csvText, toCsv } from '../../../src/output/review/csv.ts';
import { hostileName, hostileNames } from '../../given/hostile-names.ts';

const withoutMark = (cell: string) => cell.replaceAll(/(?<=^|;)'(?=\s*[=+\-@＝＋－＠])/gu, '');

describe('a cell of CSV', () => {
  const cases = [
    ['text', 'BER-1', 'BER-1'],
    ['text with a comma', 'a,b', '"a,b"'],
    ['text with quotation marks', 'a "b"', '"a ""b"""'],
    ['a formula', '=cmd|"/c calc"!A1', `"'=cmd|""/c calc""!A1"`],
    ['a formula with plus', '+1', "'+1"],
    ['a formula with minus', '-1+1', "'-1+1"],
    ['a function', '@SUM(A1)', "'@SUM(A1)"],
    ['a formula in wide letters', '\uff1d1', "'\uff1d1"],
    ['a tab first', '\t=1', '␉=1'],
    ['a carriage return first', '\r=1', '␍=1'],
    ['a line break', 'two\nlines', 'two␊lines'],
    ['a semicolon, which ends a cell in some countries', 'x;y', '"x;y"'],
    ['a formula after a semicolon', 'x;=1; @SUM(A1)', `"x;'=1;' @SUM(A1)"`],
    ['a formula after a blank', ' =1', "' =1"],
    ['a terminal escape', '\u001b[31m', '␛[31m'],
    ['a change of direction', 'a\u202eb', 'a‹U+202E›b'],
    ['nothing known', null, ''],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['a number', 0, '0'],
    ['a long id', 9223372036854775807n, '9223372036854775807'],
    ['a negative id, which is no formula', -1n, '-1'],
  ] as const;
  it.each(cases)('%s', (_, value, text) => expect(csvText([[value, 'end']])).toBe(`${text},end\n`));

  it('is the same after the CSV is read, except for escaped characters', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(hostileName, { minLength: 2, maxLength: 3 }), { minLength: 1 }),
        (lines) => {
          const read = parse(csvText(lines), { relax_column_count: true });
          expect(read.map((line) => line.map(withoutMark))).toEqual(
            lines.map((line) => line.map((cell) => withoutMark(printable(cell)))),
          );
        },
      ),
    ));

  it.each(hostileNames)('%j starts no formula and is on one line', (name) => {
    const text = csvText([[name, 'end']]);
    expect(text.trimEnd()).not.toMatch(/[^\P{Cc}]|\p{Cf}/u);
    expect(text).not.toMatch(/(?:^"?|;)\s*[=+@-]/);
  });
});

it('a table of CSV has its headings first, and escapes those too', () => {
  const columns: readonly Column<string>[] = [
    { key: 'host-name', kind: 'name', value: (row) => row },
    { key: '=Site', kind: 'name', within: 'custom_fields', value: () => null },
  ];
  expect(toCsv(['A'], columns)).toBe("host_name,'=Site\nA,\n");
  expect(toCsv([], columns)).toBe("host_name,'=Site\n");
});
