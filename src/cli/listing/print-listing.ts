import { jsonText } from '../../core/lib/printable.ts';
import type { TextStyle } from '../../output/review/color.ts';
import { type Column, paintTable, toDocuments } from '../../output/review/columns.ts';
import { toCsv } from '../../output/review/csv.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { Context } from '../shell/context.ts';

/** The result of a command on stdout: its document as JSON, or its text. */
export function printResult(
  { settings, print, printJson }: Context,
  document: unknown,
  text: string | (() => string),
): ExitCode {
  if (settings.format === 'json') printJson(document);
  else print(typeof text === 'string' ? text : text());
  return exitCodes.success;
}

interface ListingOptions<Row> {
  /** A row as JSON; by default, the values of its columns. */
  readonly document?: (row: Row) => object;
  /** The columns of CSV, if they are others. */
  readonly csv?: readonly Column<Row>[];
  /** The text if there are no rows. */
  readonly empty?: string;
}

/** Rows on stdout as a table, JSON, CSV or NDJSON. */
export function printListing<Row>(
  context: Context,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { document, csv = columns, empty }: ListingOptions<Row> = {},
): ExitCode {
  const { format } = context.settings;
  if (format === 'csv') context.print(toCsv(rows, csv));
  else if (format === 'json' || format === 'ndjson') {
    const documents = document === undefined ? toDocuments(rows, columns) : rows.map(document);
    if (format === 'json') context.printJson(documents);
    else context.printExactly(toNdjson(documents));
  } else if (empty !== undefined && rows.length === 0) context.print(empty);
  else context.print(paintTable(rows, columns, textStyle(context)));
  return exitCodes.success;
}

/** How the output of a command looks on its terminal. */
export function textStyle({ settings, io }: Pick<Context, 'settings' | 'io'>): TextStyle {
  return { color: settings.outColor, columns: io.stdout.columns };
}

/** One document a line. */
export function toNdjson(documents: readonly object[]): string {
  return documents.map((document) => `${jsonText(document)}\n`).join('');
}
