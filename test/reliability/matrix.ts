import { crashRows } from './crash-cases.ts';
import { faultRows } from './fault-cases.ts';
import { humanRows } from './human-cases.ts';
import { type Case, type Row, survived } from './row.ts';

/** One table of docs/contributing/reliability-tests.md, between `<!-- generated: name -->` and `<!-- end: name -->`. */
export interface Table {
  readonly name: string;
  readonly rows: readonly Row[];
}

export const tables: readonly Table[] = [
  { name: 'deaths', rows: crashRows() },
  { name: 'faults', rows: faultRows() },
  { name: 'someone else', rows: humanRows() },
];

const columns = [
  'event',
  'at call',
  'cases',
  'completed',
  'stopped with another exit code',
  'killed',
  'next run completed',
  'passed',
];

/** The rows of a table that a text shows, as `what | at`. */
export function shownRows(text: string, { name }: Table): readonly string[] {
  const [, body = ''] = text.match(between(name)) ?? [];
  return body
    .split('\n')
    .filter(
      (line) =>
        line.startsWith('| ') &&
        !line.startsWith('| ---') &&
        !line.startsWith('| event') &&
        !line.startsWith('| **'),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, 3)
        .map((cell) => cell.trim())
        .join(' | '),
    );
}

export function rowName({ what, at }: Row): string {
  return `${what} | ${at}`;
}

/** The text with the table in its place. */
export function withTable(text: string, { name }: Table, lines: readonly string[]): string {
  if (!between(name).test(text)) throw new Error(`the text has no place for "${name}"`);
  const body = [lineOf(columns), lineOf(columns.map((_, index) => (index < 2 ? '---' : '--:'))), ...lines];
  return text.replace(
    between(name),
    () => `<!-- generated: ${name} -->\n\n${body.join('\n')}\n\n<!-- end: ${name} -->`,
  );
}

export function rowLine({ what, at }: Pick<Row, 'what' | 'at'>, cases: readonly Case[]): string {
  const stopped = cases.filter(({ exit }) => exit !== null && exit !== 0);
  const codes = [...new Set(stopped.map(({ exit }) => exit))].sort((a, b) => Number(a) - Number(b));
  const next = cases.filter((each) => each.next === 0).length;
  return lineOf([
    what,
    at,
    count(cases.length),
    count(cases.filter(({ exit }) => exit === 0).length),
    codes.map((code) => `${stopped.filter(({ exit }) => exit === code).length} × exit ${code}`).join(', '),
    count(cases.filter(({ exit }) => exit === null).length),
    next === cases.length ? 'all' : `${next} of ${cases.length}`,
    count(cases.filter(survived).length),
  ]);
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function count(number: number): string {
  return number === 0 ? '' : String(number);
}

function between(name: string): RegExp {
  return new RegExp(`<!-- generated: ${name} -->([^]*?)<!-- end: ${name} -->`);
}
