import { appendFileSync } from 'node:fs';

/** The variable with the file to which a benchmark appends its entries for `bench/run.ts`, besides printing them. */
export const entriesVariable = 'RAMPART_BENCH_TELLING';

/** The output of a benchmark, in order; one line of JSON each. */
export type Entry =
  | { readonly kind: 'title'; readonly title: string; readonly compared: string }
  | { readonly kind: 'table'; readonly columns: readonly string[] }
  | { readonly kind: 'row'; readonly cells: readonly string[] }
  | { readonly kind: 'note'; readonly text: string };

export interface Report {
  /** Begins a table; each row is printed as soon as it is known. */
  readonly table: (columns: readonly string[]) => (cells: readonly string[]) => void;
  /** A separate sentence. */
  readonly note: (text: string) => void;
}

const leadWidth = 34;
const leastWidth = 9;

/**
 * Opens the report of one benchmark: its description, and what it compares, in turns. Every entry is printed; under
 * `bench/run.ts` it also goes into `bench/results.md`.
 */
export function openReport(title: string, compared: string): Report {
  const file = process.env[entriesVariable];
  const write = (entry: Entry) => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`);
  };
  write({ kind: 'title', title, compared });
  console.log(`${title}: ${compared}`);
  return {
    table(columns) {
      write({ kind: 'table', columns });
      const widths = columns.map(({ length }, index) =>
        Math.max(index === 0 ? leadWidth : leastWidth, length),
      );
      const print = (cells: readonly string[]) => {
        const padded = cells.map((cell, index) =>
          index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
        );
        console.log(padded.join('  '));
      };
      console.log();
      print(columns);
      return (cells) => {
        write({ kind: 'row', cells });
        print(cells);
      };
    },
    note(text) {
      write({ kind: 'note', text });
      console.log(`\n${text}`);
    },
  };
}
