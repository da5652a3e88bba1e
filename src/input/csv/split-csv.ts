import { CsvError, parse } from 'csv-parse/sync';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { SourceText, Span } from '../sources/source-text.ts';
import { type Delimiter, delimiterOf } from './delimiter.ts';
import { fromFormulaCell } from './formula-cell.ts';

/** One cell, and the span of its text with its quotation marks. */
export interface CsvCell extends Span {
  readonly text: string;
}

export interface Row extends Span {
  /** The row number in a spreadsheet, from 1: a cell may span several lines. */
  readonly number: number;
  readonly cells: readonly CsvCell[];
}

interface ParsedCell {
  readonly text: string;
  readonly quoted: boolean;
}

/** The rows that are not blank (RFC 4180). White space around an unquoted cell is not part of it. */
export function splitCsv(source: SourceText): Result<readonly Row[]> {
  const delimiter = delimiterOf(source.text);
  let records: readonly (readonly ParsedCell[])[];
  try {
    records = parse(source.text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      cast: (text, { quoting }): ParsedCell => ({ text, quoted: quoting }),
    }) as unknown as readonly (readonly ParsedCell[])[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return failed(explain(error, source, delimiter));
  }
  return ok(placed(records, source.text).filter((row) => row.cells.some((cell) => cell.text !== '')));
}

/** The parser returns no cell offsets, so they are computed from its result. */
function placed(records: readonly (readonly ParsedCell[])[], text: string): readonly Row[] {
  let at = 0;
  return records.map((record, index) => {
    const start = at;
    const cells = record.map((cell, column) => {
      if (column > 0) at += 1;
      const found = placedCell(cell, at);
      at += cell.quoted ? found.end - found.start : cell.text.length;
      return found;
    });
    const end = at;
    at += text.startsWith('\r\n', at) ? 2 : 1;
    return { number: index + 1, cells, start, end };
  });
}

function placedCell({ text, quoted }: ParsedCell, at: number): CsvCell {
  if (quoted)
    return { text: fromFormulaCell(text), start: at, end: at + text.length + text.split('"').length + 1 };
  const start = at + text.length - text.trimStart().length;
  const trimmed = text.trim();
  return { text: fromFormulaCell(trimmed), start, end: start + trimmed.length };
}

function explain(error: CsvError, { text, placeOf }: SourceText, delimiter: Delimiter): Problem {
  const at = startOfCell(text, delimiter, Number(error['bytes']));
  const { message, hint, offset } = mistake(error, text, at);
  const part = `row ${Number(error['records']) + 1}, column ${Number(error['index']) + 1}`;
  return problem('csv-syntax', message, {
    place: { ...placeOf({ start: offset, end: offset + 1 }), part },
    hint,
  });
}

interface Mistake {
  readonly message: string;
  readonly hint: string;
  readonly offset: number;
}

/** The mistake in the cell that begins at an offset. */
function mistake(error: CsvError, text: string, at: number): Mistake {
  switch (error.code) {
    case 'INVALID_OPENING_QUOTE': {
      const offset = text.indexOf('"', at);
      const isFirst = text.slice(at, offset).trim() === '';
      return {
        message: 'a quotation mark in the middle of a cell',
        hint: isFirst
          ? 'remove the space before the quotation mark'
          : 'put the whole cell in quotation marks, and write each mark inside it twice: "19"" rack"',
        offset,
      };
    }
    case 'CSV_INVALID_CLOSING_QUOTE': {
      const cell = /"(?:[^"]|"")*"/y;
      cell.lastIndex = at;
      return {
        message: 'text follows the closing quotation mark of a cell',
        hint: 'write each quotation mark inside a cell twice: "19"" rack"',
        offset: at + (cell.exec(text)?.[0].length ?? 0),
      };
    }
    case 'CSV_QUOTE_NOT_CLOSED':
      return {
        message: 'a quotation mark is never closed',
        hint: 'close it, or remove it',
        offset: at,
      };
    default:
      throw error;
  }
}

/** The parser counts bytes up to the end of the previous cell. */
function startOfCell(text: string, delimiter: Delimiter, bytes: number): number {
  const at = Buffer.from(text).toString('utf8', 0, bytes).length;
  return text[at] === delimiter ? at + 1 : at;
}
