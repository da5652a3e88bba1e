import { jsonText } from '../../core/lib/printable.ts';
import type { TextStyle } from '../../output/review/color.ts';
import { type Column, paintTable, toDocuments } from '../../output/review/columns.ts';
import { toCsv } from '../../output/review/csv.ts';
import type { Context } from '../shell/context.ts';

/** Rows on stdout as a table, JSON, CSV or NDJSON. */
export function printListing<Row>(
  context: Context,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  const { settings, print, printExactly, printJson } = context;
  if (settings.format === 'json') printJson(toDocuments(rows, columns));
  else if (settings.format === 'csv') print(toCsv(rows, columns));
  else if (settings.format === 'ndjson') printExactly(toNdjson(toDocuments(rows, columns)));
  else print(paintTable(rows, columns, textStyle(context)));
}

/** How the output of a command looks on its terminal. */
export function textStyle({ settings, io }: Pick<Context, 'settings' | 'io'>): TextStyle {
  return { color: settings.outColor, columns: io.stdout.columns };
}

/** One document a line. */
export function toNdjson(documents: readonly object[]): string {
  return documents.map((document) => `${jsonText(document)}\n`).join('');
}
