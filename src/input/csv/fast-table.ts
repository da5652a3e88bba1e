import { byteUnits, plainRowScanner } from '../../core/columns/table/plain-rows.ts';
import { rowColumns } from '../../core/columns/table/row-columns.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { joinEntries, type PlacedEntries, placedEntries } from '../entries/placed-entries.ts';
import { type PlacedEntry, readEntry } from '../entries/read-entry.ts';
import { type SourceText, sourceText } from '../sources/source-text.ts';
import { createProblemList, type ProblemList } from '../values/problem-list.ts';
import { type Reading, report } from '../values/reading.ts';
import { type Columns, checkDigits, checkRow, readHeader, rowToTree } from './columns.ts';
import { type Delimiter, delimiterOf } from './delimiter.ts';
import { plainEntries } from './plain-entries.ts';
import { type Row, rowAt, splitCsv, tableText } from './split-csv.ts';

/** Reads the entries of any table, valid or not, and reports every problem. */
export function readFullTable(source: SourceText, problems: ProblemList, firstIndex: number): PlacedEntries {
  const rows = splitCsv(source);
  if (!rows.ok) {
    for (const each of rows.problems) problems.add(each);
    return joinEntries([]);
  }
  const [header, ...body] = rows.value;
  const table = tableText(source, header, (span) => rowAt(rows.value, span));
  const reading: Reading = { source: table, problems };
  if (header === undefined) {
    report(reading, { start: 0, end: 0 }, 'file-empty', 'the table is empty', {
      hint: 'its first row names the columns, such as id,name,group',
    });
    return joinEntries([]);
  }
  const columns = readHeader(reading, header);
  if (columns === undefined) return joinEntries([]);
  const entries: PlacedEntry[] = [];
  for (const row of body) {
    if (problems.isFull()) break;
    if (!checkRow(reading, row, columns)) continue;
    const placed = readEntry(reading, rowToTree(row, columns), firstIndex + entries.length);
    if (placed !== undefined) entries.push(placed);
  }
  return placedEntries(table, entries);
}

/** The minimum length of an id that a spreadsheet may have rounded. */
const roundedLength = 16;
const zero = 0x30;

/** The offset and line number of a row that is not plain. */
interface OtherRow {
  readonly index: number;
  readonly start: number;
  readonly line: number;
}

/**
 * The fast reader of tables. Plain rows stay in the text; the full reader's checks read all other rows. Undefined if a
 * row spans several lines or anything is wrong: then the full reader reads the whole table and explains.
 */
export function readFastTable(
  source: SourceText,
  problems: ProblemList,
  firstIndex: number,
): PlacedEntries | undefined {
  const { text } = source;
  if (!text.isWellFormed() || hasLoneReturn(text)) return undefined;
  const delimiter = delimiterOf(text);
  const first = firstLine(text, delimiter);
  const header =
    first === undefined ? undefined : rowsOf(source, lineAt(text, first.start), [], delimiter)?.[0];
  if (first === undefined || header === undefined) return undefined;
  const columns = readHeader({ source, problems: createProblemList() }, header);
  if (columns === undefined) return undefined;

  const units = byteUnits(text);
  const bodyStart = nextLine(text, first.start) ?? text.length;
  const rows = rowColumns(text, units, linesFrom(text, bodyStart));
  const rounded: number[] = [];
  const scanPlainRows = plainRowScanner(units, delimiter, columns, (row) => {
    if (row.idEnd - row.idStart >= roundedLength && units[row.idEnd - 1] === zero) rounded.push(rows.count);
    rows.addPlain(row);
  });
  const others: OtherRow[] = [];
  let line = first.line + 1;
  for (let at = bodyStart; at < text.length; line += 1) {
    const before = rows.count;
    at = scanPlainRows(at, line);
    line += rows.count - before;
    if (at === text.length) break;
    const next = nextLine(text, at) ?? text.length;
    if (!isBlank(lineAt(text, at), delimiter))
      others.push({ index: rows.addOther(at, line), start: at, line });
    at = next;
  }

  const split = rowsOf(source, lineAt(text, first.start), others, delimiter);
  if (split === undefined) return undefined;
  const [, ...otherRows] = split;
  const table = tableText(source, header, (span) => rowAt(otherRows, span));
  const found = createProblemList();
  const read = readOtherRows(
    { source: table, problems: found },
    otherRows,
    columns,
    (position) => firstIndex + (others[position] as OtherRow).index,
  );
  if (read === undefined || found.all().some(({ severity }) => severity === 'error')) return undefined;

  const entries = plainEntries(source, header, rows, {
    firstIndex,
    others: placedEntries(table, read),
    indexes: others.map(({ index }) => index),
  });
  for (const each of inOrder([...found.all(), ...roundedIds(entries)])) problems.add(each);
  return entries;

  function roundedIds(placed: PlacedEntries): readonly Problem[] {
    const warnings = createProblemList();
    for (const index of rounded) {
      const cell = { text: rows.idAt(index) ?? '', start: 0, end: 0 };
      const reading: Reading = {
        source: { ...source, placeOf: () => placed.placeOf(index, 'id') },
        problems: warnings,
      };
      checkDigits(reading, { ...cell, number: 0, cells: [cell] }, ['id']);
    }
    return warnings.all();
  }
}

/** Undefined for a row that the checks refuse. */
function readOtherRows(
  reading: Reading,
  rows: readonly Row[],
  columns: Columns,
  indexOf: (position: number) => number,
): readonly PlacedEntry[] | undefined {
  const read: PlacedEntry[] = [];
  for (const [position, row] of rows.entries()) {
    const placed = checkRow(reading, row, columns)
      ? readEntry(reading, rowToTree(row, columns), indexOf(position))
      : undefined;
    if (placed === undefined) return undefined;
    read.push(placed);
  }
  return read;
}

/**
 * The header and the rows on these lines, with the offsets of the whole text. Undefined unless each line is a separate
 * row with some text: a line with an open quotation mark includes the next line.
 */
function rowsOf(source: SourceText, header: string, others: readonly OtherRow[], delimiter: Delimiter) {
  const lines = others.map(({ start }) => lineAt(source.text, start));
  const split = splitCsv(sourceText(source.file, [header, ...lines].join('\n')), delimiter);
  if (!split.ok || split.value.length !== others.length + 1) return undefined;
  return split.value.map((row, position) => {
    const other = others[position - 1];
    if (other === undefined) return row;
    const shift = other.start - row.start;
    const cells = row.cells.map(({ text, start, end }) => ({ text, start: start + shift, end: end + shift }));
    return { number: other.line, cells, start: row.start + shift, end: row.end + shift };
  });
}

/** Are all cells of a line empty? A space next to quotation marks may be a mistake, which the full reader explains. */
function isBlank(line: string, delimiter: string): boolean {
  return line.split(delimiter).every((cell) => cell.trim() === '' || cell === '""');
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => (a.place?.line ?? 0) - (b.place?.line ?? 0));
}

function firstLine(text: string, delimiter: string) {
  let line = 1;
  for (let start: number | undefined = 0; start !== undefined; start = nextLine(text, start), line += 1) {
    if (!isBlank(lineAt(text, start), delimiter)) return { start, line };
  }
  return undefined;
}

/** Old Macs ended lines with a lone carriage return. */
function hasLoneReturn(text: string): boolean {
  return text.includes('\r') && /\r(?!\n)/.test(text);
}

function linesFrom(text: string, start: number): number {
  let count = 0;
  for (let at = start; at < text.length; at = nextLine(text, at) ?? text.length) count += 1;
  return count;
}

function nextLine(text: string, start: number): number | undefined {
  const end = text.indexOf('\n', start);
  return end === -1 ? undefined : end + 1;
}

/** The line without its line break. */
function lineAt(text: string, start: number): string {
  const next = nextLine(text, start);
  const line = text.slice(start, next === undefined ? undefined : next - 1);
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
