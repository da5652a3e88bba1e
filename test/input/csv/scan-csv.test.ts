import { CsvError, parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromFormulaCell } from '../../../src/input/csv/formula-cell.ts';
import { scanCsv } from '../../../src/input/csv/scan-csv.ts';
import { casesOf } from '../../given/cases.ts';

/** The cells of each row, or the mistake. */
function cellsOf(text: string, delimiter = ';') {
  const rows = scanCsv(text, delimiter);
  if ('kind' in rows) return rows;
  return Array.from({ length: rows.count }, (_, row) =>
    Array.from({ length: rows.widthOf(row) }, (__, column) => rows.textAt(row, column)),
  );
}

describe('the rows of a table', () => {
  it.each([
    ['have cells between separators', 'a;b\n1;2\n3;4\n', 'a|b/1|2/3|4'],
    ['need no line break at its end', 'a;b\n1;2', 'a|b/1|2'],
    ['lose a last line with white space only, also without a line break', 'a;b\n1;2\n ; ', 'a|b/1|2'],
    ['may have one column', 'a\n1\n2', 'a/1/2'],
    ['may have a header only', 'a;b\n', 'a|b'],
    ['may have line breaks of Windows', 'a;b\r\n1;2\r\n3;4\r\n', 'a|b/1|2/3|4'],
    ['lose white space at the ends of cells', ' a ;b\n 1; 2 \n', 'a|b/1|2'],
    ['may have empty cells', 'a;b\n;2\n1;\n', 'a|b/|2/1|'],
    ['lose lines with white space and separators only', '\n \r\na;b\n ; \n\n1;2\n;;;;\n', 'a|b/1|2'],
    ['keep white space in quotation marks', '"a";" b "\n" 1";"2 "\n', 'a| b / 1|2 '],
    ['may have separators in quotation marks', 'a;b\n"1;2";3\n', 'a|b/1;2|3'],
    ['may have quotation marks in quotation marks', 'a;b\n"x""y";""""\n', 'a|b/x"y|"'],
    ['may have empty quotation marks', 'a;b\n"";2\n1;""', 'a|b/|2/1|'],
    ['lose lines with empty quotation marks only', '"";""\na;b\n"";\n', 'a|b'],
    ['may differ in width', 'a;b\n1\n2;3;4', 'a|b/1/2|3|4'],
    ['may end as on old Macs', 'a;b\r1;2\r', 'a|b/1|2'],
    ['may have line breaks in quotation marks', 'a;b\n"1\n2";3', 'a|b/1\n2|3'],
    ['lose the apostrophe that protects a formula', "a;b\n'=1;'x", "a|b/=1|'x"],
    ['end cells in quotation marks with any line break', 'a;"b"\r\n1;"2"\n3;"4"', 'a|b/1|2/3|4'],
    ['may have number signs', 'a;b\n#1;#a\n#A;x#\n', 'a|b/#1|#a/#A|x#'],
  ])('%s', (_, text, expected) => {
    expect(cellsOf(text)).toEqual(expected.split('/').map((row) => row.split('|')));
  });

  it.each([
    ['is empty', ''],
    ['has white space only', '\n ;\r\n'],
    ['has white space of other scripts only', '\u00a0;\ufeff'],
  ])('are none if it %s', (_, text) => {
    expect(cellsOf(text)).toEqual([]);
  });

  it.each([
    ['ends in quotation marks', 'a;b\n1;"2', 'open-marks', 6, 6],
    ['has a quotation mark in a cell after one that begins it', 'a;b\n"1";x"2"', 'mark-in-cell', 8, 9],
    ['has a quotation mark in a cell', 'a;b\n1;x"1";2', 'mark-in-cell', 6, 7],
    ['has white space before a quotation mark', 'a;b\n1; "1";2', 'mark-in-cell', 6, 7],
    ['has text after a quotation mark', 'a;b\n1;"1"x;2', 'text-after-marks', 6, 9],
    ['has white space after a quotation mark', 'a;b\n1;"1" ;2', 'text-after-marks', 6, 9],
  ])('are not read if it %s', (_, text, kind, cellStart, offset) => {
    expect(cellsOf(text)).toEqual({ kind, cellStart, offset, row: 2, column: 2 });
  });

  it('have the span of each cell, in whatever order they are read', () => {
    const text = 'a;b;c\n1;"2;2";3\r\n\n4;5;6';
    const rows = scanCsv(text, ';');
    if ('kind' in rows) throw new Error(rows.kind);
    const spanned = (row: number, column: number) => {
      const { start, end } = rows.cellSpan(row, column);
      return text.slice(start, end);
    };
    const order = ['1,2', '1,0', '2,1', '1,1', '2,0', '2,2', '1,1'].map((at) => at.split(',').map(Number));
    expect(order.map(([row = 0, column = 0]) => spanned(row, column)).join(' ')).toBe(
      '3 1 5 "2;2" 4 6 "2;2"',
    );
    expect(rows.cellSpan(1, 0)).toEqual({ start: 6, end: 7 });
    expect([rows.spanOf(1), rows.numberOf(1), rows.numberOf(2)]).toEqual([{ start: 6, end: 15 }, 2, 4]);
  });

  it('are the same as those of another reader', () => {
    const parts = ['"', '"', '""', ',', ',', ';', ' ', '\n', '\r', '\r\n', 'a', "'=", '\u00a0', '😀', ',"x"'];
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 20 }).map((found) => found.join(''));
    fc.assert(
      fc.property(text, (csv) => {
        const expected = parsed(csv);
        if (expected === undefined) expect(cellsOf(csv, ',')).toHaveProperty('kind');
        else expect(cellsOf(csv, ',')).toEqual(expected);
      }),
      casesOf(2_000),
    );
  });
});

/** The rows as csv-parse reads them; undefined if it refuses them. */
function parsed(text: string): readonly (readonly string[])[] | undefined {
  const options = { delimiter: ',', record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true };
  const cast = (cell: string, { quoting }: { readonly quoting: boolean }) =>
    fromFormulaCell(quoting ? cell : cell.trim());
  try {
    const rows: readonly (readonly string[])[] = parse(text, { ...options, cast });
    return rows.filter((row) => row.some((cell) => cell !== ''));
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}
