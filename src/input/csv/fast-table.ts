import { byteUnits } from '../../core/columns/table/byte-units.ts';
import { plainRowScanner } from '../../core/columns/table/plain-rows.ts';
import { rowColumns } from '../../core/columns/table/row-columns.ts';
import type { GroupIntent } from '../../core/model/observed.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { joinEntries, type PlacedEntries, placedEntries } from '../entries/placed-entries.ts';
import { plainEntries } from '../entries/plain-entries.ts';
import { type PlacedEntry, readEntry } from '../entries/read-entry.ts';
import { type SourceText, type Span, sourceText } from '../sources/source-text.ts';
import { createProblemList, mostProblems, type ProblemList } from '../values/problem-list.ts';
import { type Reading, report } from '../values/reading.ts';
import { checkDigits, checkRow, noGroup, readHeader, rowToTree } from './columns.ts';
import { type Delimiter, delimiterOf } from './delimiter.ts';
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

/** The offset and number of a line that is a row. */
interface RowLine {
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
  const header = first && rowsOf(source, [first], delimiter)?.[0];
  if (first === undefined || header === undefined) return undefined;
  const columns = readHeader({ source, problems: createProblemList() }, header);
  if (columns === undefined) return undefined;

  const units = byteUnits(text);
  const bodyStart = nextLine(text, first.start) ?? text.length;
  const rows = rowColumns(text, units);
  const rounded: number[] = [];
  const scanPlainRows = plainRowScanner(units, delimiter, columns, (row) => {
    const [idEnd = 0] = row.ends;
    const digits = idEnd - (row.starts[0] as number);
    if (digits >= roundedLength && units[idEnd - 1] === zero && rounded.length < mostProblems)
      rounded.push(rows.count);
    rows.addPlain(row);
  });
  const others: RowLine[] = [];
  let line = first.line + 1;
  for (let at = bodyStart; at < text.length; line += 1) {
    const before = rows.count;
    at = scanPlainRows(at, line);
    line += rows.count - before;
    if (at === text.length) break;
    if (!isBlank(lineAt(text, at), delimiter)) {
      rows.addOther();
      others.push({ start: at, line });
    }
    at = nextLine(text, at) ?? text.length;
  }

  const split = rowsOf(source, [first, ...others], delimiter);
  if (split === undefined) return undefined;
  const [, ...otherRows] = split;
  // Plain rows are split only for the few places that are shown.
  const rowWith = ({ start: at }: Span, number: number) => {
    const start = text.lastIndexOf('\n', at - 1) + 1;
    return rowsOf(source, [{ start, line: number }], delimiter)?.[0];
  };
  const table = tableText(source, header, rowWith);
  const found = createProblemList();
  const entries = plainEntries({ source: table, problems: found }, rows, firstIndex, {
    other(reading, position, index) {
      const row = otherRows[position] as Row;
      return checkRow(reading, row, columns) ? readEntry(reading, rowToTree(row, columns), index) : undefined;
    },
    group: groupCalled,
  });
  if (entries === undefined) return undefined;
  const warnings = createProblemList();
  for (const index of rounded) {
    const id = rows.spanAt(index, 'id');
    const row = rowWith(id, id.line);
    if (row !== undefined) checkDigits({ source: table, problems: warnings }, row, columns);
  }
  for (const each of inOrder([...found.all(), ...warnings.all()])) problems.add(each);
  return entries;
}

/** The meaning of a cell in the column "group". */
function groupCalled(name: string): GroupIntent {
  return name === noGroup ? { kind: 'ungrouped' } : { kind: 'named', name };
}

/**
 * The rows on these lines, with the offsets of the whole text. Undefined unless each line is a separate row with some
 * text: a line with an open quotation mark includes the next line.
 */
function rowsOf(source: SourceText, lines: readonly RowLine[], delimiter: Delimiter) {
  const texts = lines.map(({ start }) => lineAt(source.text, start));
  const split = splitCsv(sourceText(source.file, texts.join('\n')), delimiter);
  if (!split.ok || split.value.length !== lines.length) return undefined;
  return split.value.map((row, position) => {
    const { start: lineStart, line } = lines[position] as RowLine;
    const shift = lineStart - row.start;
    const cells = row.cells.map(({ text, start, end }) => ({ text, start: start + shift, end: end + shift }));
    return { number: line, cells, start: row.start + shift, end: row.end + shift };
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
