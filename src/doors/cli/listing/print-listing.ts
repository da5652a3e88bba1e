import { type Column, paintTable, toDocuments } from '../../../output/review/columns.ts';
import { toCsv } from '../../../output/review/csv.ts';
import type { Context } from '../shell/context.ts';

/** Rows on stdout as a table, JSON or CSV. */
export function printListing<Row>(
  { settings, io, print, printJson }: Context,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  if (settings.format === 'json') printJson(toDocuments(rows, columns));
  else if (settings.format === 'csv') print(toCsv(rows, columns));
  else print(paintTable(rows, columns, { colour: settings.outColour, width: io.stdout.columns }));
}
