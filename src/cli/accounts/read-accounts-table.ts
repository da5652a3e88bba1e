import { isAccountName } from '../../accounts/config/account-name.ts';
import { isLabelName, labelNameWords } from '../../accounts/config/label-name.ts';
import { isPskVariable } from '../../accounts/config/read-key-source.ts';
import { defined } from '../../core/lib/defined.ts';
import { isInt64 } from '../../core/lib/int64.ts';
import { nearest, quoted } from '../../core/lib/words.ts';
import {
  allOf,
  failed,
  ok,
  type Place,
  type Problem,
  problem,
  type Result,
} from '../../core/problem/problem.ts';
import { type CsvCell, placeInTable, type Row, splitCsv } from '../../input/csv/split-csv.ts';
import { decodeSource } from '../../input/sources/decode-source.ts';
import type { SourceText, Span } from '../../input/sources/source-text.ts';

/** One row of a table of accounts. */
export interface AccountsTableRow {
  readonly name: string;
  readonly companyId: string;
  readonly baseUrl?: string;
  readonly keyVariable?: string;
  readonly keyFile?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The row number in a spreadsheet. */
  readonly row: number;
  readonly place: Place;
}

const columnNames = ['name', 'companyId', 'baseUrl', 'keyVariable', 'keyFile'];

export function readAccountsTable(file: string, text: string): Result<readonly AccountsTableRow[]> {
  const source = decodeSource({ file, text }, 'csv');
  const rows = source.ok ? splitCsv(source.value) : source;
  if (!source.ok || !rows.ok) return failed(...rows.problems);
  const [head, ...body] = rows.value;
  if (head === undefined || body.length === 0) {
    return failed(
      problem('missing-key', 'the table has no accounts', {
        place: { file, line: 1, col: 1 },
        hint: 'write the names of the columns in the first row, such as name,companyId, and one account in each other row',
      }),
    );
  }
  const table: Table = { source: source.value, header: head.cells };
  const problems = checkHeader(table, head);
  if (problems.length > 0) return failed(...problems);
  return allOf(body.map((row) => readRow(table, row)));
}

interface Table {
  readonly source: SourceText;
  readonly header: readonly CsvCell[];
}

/** Without the source line, because somebody may have put a secret there. */
function placeIn({ source }: Table, { number }: Row, span: Span, label?: string): Place {
  const { file, line, col } = source.placeOf(span);
  return placeInTable({ file, line, col }, number, label);
}

function checkHeader(table: Table, head: Row): readonly Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const cell of head.cells) {
    const { text } = cell;
    const place = placeIn(table, head, cell);
    if (seen.has(text)) {
      const message = `the column ${quoted(text)} appears twice`;
      problems.push(problem('duplicate-key', message, { place, hint: 'remove one of the two' }));
    } else if (!columnNames.includes(text) && !isLabelColumn(text)) {
      const message = `unknown column ${quoted(text.slice(0, 40))}`;
      problems.push(problem('unknown-key', message, { place, hint: columnHint(text) }));
    }
    seen.add(text);
  }
  const missing = ['name', 'companyId'].filter((each) => !seen.has(each));
  const place = placeIn(table, head, head);
  return [
    ...problems,
    ...missing.map((each) => problem('missing-key', `the column "${each}" is missing`, { place })),
  ];
}

function columnHint(text: string): string {
  const [near] = nearest(text, columnNames);
  return near === undefined
    ? `the columns are ${columnNames.join(', ')} and label:NAME; ${labelNameWords}`
    : `did you mean "${near}"?`;
}

function isLabelColumn(text: string): boolean {
  return text.startsWith('label:') && isLabelName(text.slice('label:'.length));
}

function readRow(table: Table, row: Row): Result<AccountsTableRow> {
  const { header } = table;
  const values = new Map(
    header.flatMap(({ text: column }, index) => {
      const text = row.cells[index]?.text ?? '';
      return text === '' ? [] : [[column, text] as const];
    }),
  );
  const name = values.get('name') ?? '';
  const companyId = values.get('companyId') ?? '';
  const baseUrl = values.get('baseUrl');
  const keyVariable = values.get('keyVariable');
  const keyFile = values.get('keyFile');
  const problems: Problem[] = [];
  const refuse = (message: string, column?: string) => {
    const index = header.findIndex(({ text }) => text === column);
    const place = placeIn(table, row, row.cells[index] ?? row, column);
    problems.push(problem('invalid-value', message, { place }));
  };
  if (!isAccountName(name)) refuse('the name of the account is not valid', 'name');
  if (!isInt64(companyId)) refuse('companyId must be an integer', 'companyId');
  if (keyVariable !== undefined && !isPskVariable(keyVariable))
    refuse('keyVariable must be RAMPART_PSK, or a name that ends with _PSK', 'keyVariable');
  if (keyVariable !== undefined && keyFile !== undefined)
    refuse('keyVariable and keyFile are both set', 'keyFile');
  if (row.cells.length > header.length) refuse('there are more cells than columns');
  if (problems.length > 0) return failed(...problems);
  const labels = Object.fromEntries(
    [...values].flatMap(([column, text]) => (column.startsWith('label:') ? [[column.slice(6), text]] : [])),
  ) as Readonly<Record<string, string>>;
  return ok({
    name,
    companyId,
    labels,
    ...defined({ baseUrl, keyVariable, keyFile }),
    row: row.number,
    place: placeIn(table, row, row.cells[header.findIndex(({ text }) => text === 'name')] ?? row),
  });
}
