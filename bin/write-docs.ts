import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsPage } from './docs/commands-page.ts';
import { tablesOfPages, withKeyTables } from './docs/key-tables.ts';
import { serverApiPage } from './docs/server-api-page.ts';

/** Writes the parts of the pages that describe the program from the program itself. */
const folder = join(import.meta.dirname, '..', 'docs');
const pagesWithTables = Object.keys(tablesOfPages).map((name) => join(folder, name));

writeFileSync(join(folder, 'reference/commands.md'), commandsPage());
writeFileSync(join(folder, 'reference/server-api.md'), serverApiPage());
for (const page of pagesWithTables) writeFileSync(page, withKeyTables(readFileSync(page, 'utf8')));
console.log(
  `wrote docs/reference/commands.md, docs/reference/server-api.md and the tables of ${Object.keys(tablesOfPages).join(', ')}`,
);
