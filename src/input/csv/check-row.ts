import { isInt64 } from '../../core/lib/int64.ts';
import { count, quoted } from '../../core/lib/words.ts';
import { type Reading, report, warn } from '../values/reading.ts';
import type { Columns } from './columns.ts';
import type { CsvCell, Row } from './split-csv.ts';

/** Checks for damage that spreadsheets do to tables. False: do not read the row. */
export function checkRow(reading: Reading, row: Row, columns: Columns): boolean {
  const { cells } = row;
  if (cells.length < columns.length) {
    report(
      reading,
      row,
      'csv-syntax',
      `the row has ${count(cells.length, 'cell')}, and the first row has ${columns.length}`,
      {
        hint: 'the file may be incomplete; write empty cells too. If a spreadsheet omits empty cells, put a column that is never empty last',
      },
    );
    return false;
  }
  const extra = cells.find((cell, index) => index >= columns.length && cell.text !== '');
  if (extra !== undefined) {
    report(reading, extra, 'csv-syntax', 'there is no column for this cell', {
      hint: 'put text that contains the separator in quotation marks',
    });
    return false;
  }
  const broken = cells.filter((cell, index) => columns[index] !== undefined && isSpreadsheetError(cell));
  for (const cell of broken) {
    report(reading, cell, 'invalid-value', `a spreadsheet formula failed here: ${quoted(cell.text)}`, {
      hint: 'fix the formula, and save the table again',
    });
  }
  if (broken.length > 0) return false;
  checkDigits(reading, row, columns);
  return checkGroups(reading, row, columns);
}

const spreadsheetErrors: ReadonlySet<string> = new Set(
  '#REF! #N/A #NAME? #VALUE! #DIV/0! #NUM! #NULL! #SPILL! #CALC! #NV #BEZUG! #WERT!'.split(' '),
);

export function isSpreadsheetError({ text }: Pick<CsvCell, 'text'>): boolean {
  return spreadsheetErrors.has(text);
}

/** A spreadsheet keeps fifteen digits of a number and replaces the others with zeros. */
export function checkDigits(reading: Reading, row: Row, columns: Columns): void {
  const cell = row.cells[columns.indexOf('id')];
  const current = row.cells[columns.indexOf('current')];
  if (cell === undefined || !mayBeRounded(cell.text, current?.text)) return;
  warn(reading, cell, 'invalid-id', `a spreadsheet may have rounded the id ${cell.text}`, {
    hint: 'compare it with "rampart hosts"; a column "current" with the present name protects against this',
  });
}

/** The current name, if given, confirms the id. */
function mayBeRounded(id: string, current = ''): boolean {
  return current === '' && id.endsWith('0') && isInt64(id) && /^-?\d{15}0+$/.test(id);
}

function checkGroups(reading: Reading, row: Row, columns: Columns): boolean {
  const byId = row.cells[columns.indexOf('groupId')];
  const byName = row.cells[columns.indexOf('group')];
  if (byId === undefined || byName === undefined || byId.text === '' || byName.text === '') return true;
  report(reading, byId, 'invalid-value', 'the group is set twice, by name and by id', {
    hint: 'clear one of the two cells',
    related: [reading.source.placeOf(byName)],
  });
  return false;
}
