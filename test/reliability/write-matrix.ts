/** Runs the whole matrix and writes its tables into docs/contributing/reliability-tests.md: `node test/reliability/write-matrix.ts`. */
import { readFile, writeFile } from 'node:fs/promises';
import { rowLine, tables, withTable } from './matrix.ts';
import { type Case, everyTry, findings } from './row.ts';

const page = new URL('../../docs/contributing/reliability-tests.md', import.meta.url);
let text = await readFile(page, 'utf8');
for (const table of tables) {
  const lines: string[] = [];
  const all: Case[] = [];
  for (const row of table.rows) {
    const cases = await row.run(everyTry);
    lines.push(rowLine(row, cases));
    all.push(...cases);
  }
  lines.push(rowLine({ what: '**all**', at: '' }, all));
  for (const finding of findings(all)) console.error(finding);
  text = withTable(text, table, lines);
  console.log(`${table.name}: ${all.length} cases`);
}
await writeFile(page, text);
