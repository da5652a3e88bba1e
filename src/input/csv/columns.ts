import { isInt64 } from '../../core/lib/int64.ts';
import { count, quoted } from '../../core/lib/words.ts';
import type { EntryAttribute } from '../../core/model/entry.ts';
import { type ColumnAttribute, type EntryField, entryAttributes, fieldOf } from '../schema/entry-fields.ts';
import type { MappingNode, Member, ScalarNode, Span, YamlNode } from '../sources/source-text.ts';
import { meantBy, type Reading, report, warn } from '../values/reading.ts';
import type { CsvCell, Row } from './split-csv.ts';

/** The columns of a table of hosts. An empty cell leaves the attribute unmanaged; `groupId` is the group by its id. */
export type ColumnName = ColumnAttribute | 'groupId';

const names: readonly ColumnName[] = entryAttributes.flatMap((key) => {
  if (!hasColumn(key)) return [];
  return key === 'group' ? [key, 'groupId'] : [key];
});

function hasColumn(key: EntryAttribute): key is ColumnAttribute {
  return fieldOf(key).column === true;
}

/** The attribute in each column, according to the first row; undefined for a column that is not read. */
export type Columns = readonly (ColumnName | undefined)[];

/** Columns may be in any order and letter case; `#` at the start of a name marks a column of notes. */
export function readHeader(reading: Reading, header: Row): Columns | undefined {
  const firsts = new Map<ColumnName, CsvCell>();
  let isSound = true;
  const columns = header.cells.map((cell): ColumnName | undefined => {
    if (cell.text === '' || cell.text.startsWith('#')) return undefined;
    const name = names.find((each) => each.toLowerCase() === cell.text.toLowerCase());
    const first = name === undefined ? undefined : firsts.get(name);
    if (name === undefined) unknownColumn(reading, cell);
    else if (first === undefined) firsts.set(name, cell);
    else {
      report(reading, cell, 'duplicate-key', `the column ${quoted(cell.text)} appears twice`, {
        hint: 'remove one of the two',
        related: [reading.source.placeOf(first)],
      });
    }
    if (name === undefined || first !== undefined) isSound = false;
    return name;
  });
  if (!isSound) return undefined;
  if (firsts.has('id') || firsts.has('name')) return columns;
  return report(reading, header, 'missing-key', 'a table needs a column "id" or "name"', {
    hint: `the first row names the columns: ${names.join(', ')}`,
  });
}

function unknownColumn(reading: Reading, cell: CsvCell): void {
  const near = meantBy(cell.text, names);
  const hint =
    near !== undefined
      ? `did you mean "${near}"?`
      : `the columns are ${names.join(', ')}; start the name of a notes column with "#"`;
  report(reading, cell, 'unknown-key', `unknown column ${quoted(cell.text)}`, { hint });
}

/** Separates the items of one cell. */
const separator = '|';
export const noGroup = '(none)';

/** Converts a row to the equivalent YAML mapping; an empty cell adds no key. */
export function rowToTree(row: Row, columns: Columns): MappingNode {
  const members: Member[] = [];
  for (const [index, cell] of row.cells.entries()) {
    const column = columns[index];
    if (column !== undefined && cell.text !== '') members.push(toMember(column, cell));
  }
  return { kind: 'mapping', members, ...spanOf(row) };
}

function toMember(column: ColumnName, cell: CsvCell): Member {
  if (column === 'groupId') {
    const id = { key: text('id', cell), value: plain(cell.text, cell) };
    return { key: text('group', cell), value: { kind: 'mapping', members: [id], ...spanOf(cell) } };
  }
  return { key: text(column, cell), value: toValue(fieldOf(column).type, cell) };
}

function toValue(type: EntryField['type'], cell: CsvCell): YamlNode {
  switch (type) {
    case 'id':
      return plain(cell.text, cell);
    case 'group':
      return cell.text === noGroup ? plain('null', cell) : text(cell.text, cell);
    case 'names':
    case 'words':
      return { kind: 'sequence', items: splitWords(cell), ...spanOf(cell) };
    case 'text':
    case 'time':
    case 'word':
      return text(cell.text, cell);
  }
}

function splitWords(cell: CsvCell): readonly ScalarNode[] {
  return cell.text.split(separator).map((word) => text(word.trim(), cell));
}

function text(value: string, at: Span): ScalarNode {
  return { kind: 'scalar', text: value, plain: false, ...spanOf(at) };
}

function plain(value: string, at: Span): ScalarNode {
  return { kind: 'scalar', text: value, plain: true, ...spanOf(at) };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

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
