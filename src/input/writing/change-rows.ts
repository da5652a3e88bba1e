import type { GroupIntent } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { type ColumnName, type Columns, isSpreadsheetError, noGroup, readHeader } from '../csv/columns.ts';
import { delimiterOf } from '../csv/delimiter.ts';
import { toFormulaCell } from '../csv/formula-cell.ts';
import { type Row, splitCsv } from '../csv/split-csv.ts';
import type { SourceText } from '../sources/source-text.ts';
import { createProblemList } from '../values/problem-list.ts';
import type { ChangedText, ChangeOptions, EntryChange, PlacedChange } from './change-entries.ts';
import type { TextEdit } from './text-edit.ts';

/** Changes what rows of a table request. Every other cell stays unchanged. */
export function changeRows(
  source: SourceText,
  changes: readonly PlacedChange[],
  { mayAdd }: ChangeOptions,
): Result<ChangedText> {
  const split = splitCsv(source);
  if (!split.ok) return split;
  const [header, ...body] = split.value;
  const columns =
    header === undefined ? undefined : readHeader({ source, problems: createProblemList() }, header);
  // A carriage return alone ends a row, but no line.
  const rows = new Map(body.map((row) => [keyOf(source.placeOf(row)), row]));
  const edits: TextEdit[] = [];
  const refused: PlacedChange[] = [];
  for (const change of changes) {
    const row = rows.get(keyOf(change));
    const own = row && columns && editsOf(source.text, row, columns, change.change, mayAdd);
    if (own === undefined) refused.push(change);
    else edits.push(...own);
  }
  return ok({ edits, refused });
}

function keyOf({ line, col }: Pick<PlacedChange, 'line' | 'col'>): string {
  return `${line}:${col}`;
}

function editsOf(
  text: string,
  row: Row,
  columns: Columns,
  change: EntryChange,
  mayAdd: boolean,
): readonly TextEdit[] | undefined {
  if (change.kind === 'no-host') {
    const end = /\r\n?|\n/y;
    end.lastIndex = row.end;
    return [{ start: row.start, end: row.end + (end.exec(text)?.[0].length ?? 0), text: '' }];
  }
  const cells = cellsOf(change);
  const isSet = cells.some(([column]) => (row.cells[columns.indexOf(column)]?.text ?? '') !== '');
  if (cells.length === 0 || (!isSet && !mayAdd)) return undefined;
  const edits: TextEdit[] = [];
  for (const [column, value] of cells) {
    const cell = row.cells[columns.indexOf(column)];
    // A table needs no column for a cell that stays empty.
    if (cell === undefined && value === '') continue;
    if (cell === undefined) return undefined;
    edits.push({ start: cell.start, end: cell.end, text: cellText(value, delimiterOf(text)) });
  }
  return edits;
}

/** The new content of each cell. A group is in one of two columns. */
function cellsOf(change: EntryChange): readonly (readonly [ColumnName, string])[] {
  switch (change.kind) {
    case 'name':
      return isReadBack(change.name) ? [['name', change.name]] : [];
    case 'group':
      return groupCells(change.group);
    case 'antivirus':
      return [['antivirus', 'installed']];
    case 'no-antivirus':
      return [['antivirus', '']];
    case 'absent':
      return [
        ['ensure', 'absent'],
        ['group', ''],
        ['groupId', ''],
        ['antivirus', ''],
      ];
    case 'id':
    case 'no-host':
      return [];
  }
}

function groupCells(intent: GroupIntent): readonly (readonly [ColumnName, string])[] {
  switch (intent.kind) {
    case 'named':
      return isReadBack(intent.name) && intent.name !== noGroup
        ? [
            ['group', intent.name],
            ['groupId', ''],
          ]
        : [];
    case 'id':
      return [
        ['groupId', intent.id],
        ['group', ''],
      ];
    case 'ungrouped':
      return [
        ['group', noGroup],
        ['groupId', ''],
      ];
  }
}

/** White space at the ends is not part of a cell, and the error of a formula is no text. */
function isReadBack(text: string): boolean {
  return text.trim() === text && text !== '' && !isSpreadsheetError({ text });
}

function cellText(value: string, delimiter: string): string {
  const text = toFormulaCell(value, { raw: false });
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
