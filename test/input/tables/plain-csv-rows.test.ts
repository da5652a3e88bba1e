import { describe, expect, it } from 'vitest';
import { plainCsvRows } from '../../../src/input/tables/plain-csv-rows.ts';

/** The header and the cells of each row; undefined if another reader must explain the table. */
function cellsOf(text: string): readonly (readonly string[])[] | undefined {
  const rows = plainCsvRows(text, ';');
  if (rows === undefined) return undefined;
  const width = rows.columns.length;
  const cells = Array.from({ length: rows.count }, (_, row) =>
    Array.from({ length: width }, (__, column) => rows.cellAt(row, column)),
  );
  return [rows.columns, ...cells];
}

describe('a table with one line for each row', () => {
  it.each<[string, string, readonly (readonly string[])[]]>([
    [
      'has cells between separators',
      'a;b\n1;2\n3;4\n',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'needs no line break at its end',
      'a;b\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'loses a last line with white space only, also without a line break',
      'a;b\n1;2\n ; ',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['may have one column', 'a\n1\n2', [['a'], ['1'], ['2']]],
    ['may have a header only', 'a;b\n', [['a', 'b']]],
    [
      'may have line breaks of Windows',
      'a;b\r\n1;2\r\n3;4\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'loses white space at the ends of cells',
      ' a ;b\n 1; 2 \n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'may have empty cells',
      'a;b\n;2\n1;\n',
      [
        ['a', 'b'],
        ['', '2'],
        ['1', ''],
      ],
    ],
    [
      'loses lines with white space and separators only',
      '\n \r\na;b\n ; \n\n1;2\n;;;;\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'keeps white space in quotation marks',
      '"a";" b "\n" 1";"2 "\n',
      [
        ['a', ' b '],
        [' 1', '2 '],
      ],
    ],
    [
      'may have separators in quotation marks',
      'a;b\n"1;2";3\n',
      [
        ['a', 'b'],
        ['1;2', '3'],
      ],
    ],
    [
      'may have quotation marks in quotation marks',
      'a;b\n"x""y";""""\n',
      [
        ['a', 'b'],
        ['x"y', '"'],
      ],
    ],
    [
      'may have empty quotation marks',
      'a;b\n"";""\n1;2',
      [
        ['a', 'b'],
        ['', ''],
        ['1', '2'],
      ],
    ],
    [
      'ends cells in quotation marks with any line break',
      'a;"b"\r\n1;"2"\n3;"4"',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'may have number signs',
      'a;b\n#1;#a\n#A;x#\n',
      [
        ['a', 'b'],
        ['#1', '#a'],
        ['#A', 'x#'],
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(cellsOf(text)).toEqual(expected);
  });

  it.each([
    ['is empty', ''],
    ['has white space only', '\n ;\r\n'],
    ['has a row with too few cells', 'a;b\n1'],
    ['has a row with too many cells', 'a;b\n1;2;3'],
    ['has the error of a formula', 'a;b\n1;#REF!'],
    ['has an error with a slash', 'a;b\n1;#DIV/0!'],
    ['has an error with a question mark', 'a;b\n#NAME?;1'],
    ['has an error of a German spreadsheet', 'a;b\n1;#NV'],
    ['has a line break of old Macs', 'a;b\n1\r;2'],
    ['ends in quotation marks', 'a;b\n1;"2'],
    ['has a line break in quotation marks', 'a;b\n"1\n2";3'],
    ['has a quotation mark in a cell after one that begins it', 'a;b\n"1";x"2"'],
    ['has a quotation mark in a cell', 'a;b\nx"1";2'],
    ['has white space before a quotation mark', 'a;b\n "1";2'],
    ['has text after a quotation mark', 'a;b\n"1"x;2'],
    ['has white space after a quotation mark', 'a;b\n"1" ;2'],
  ])('is left to another reader if it %s', (_, text) => {
    expect(cellsOf(text)).toBeUndefined();
  });

  it('knows the span of each cell, in whatever order they are read', () => {
    const text = 'a;b;c\n1;"2;2";3\r\n\n4;5;6';
    const rows = plainCsvRows(text, ';');
    const spanned = (row: number, column: number) => {
      const { start = 0, end = 0 } = rows?.spanAt(row, column) ?? {};
      return text.slice(start, end);
    };
    const order = [
      [0, 2],
      [0, 0],
      [1, 1],
      [0, 1],
      [1, 0],
      [1, 2],
      [0, 1],
    ] as const;
    expect(order.map(([row, column]) => spanned(row, column))).toEqual([
      '3',
      '1',
      '5',
      '"2;2"',
      '4',
      '6',
      '"2;2"',
    ]);
    expect(rows?.spanAt(0, 0)).toEqual({ start: 6, end: 7 });
  });
});
