import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsPage } from './docs/commands-page.ts';
import { withKeyTables } from './docs/key-tables.ts';

/** Writes what the pages say of the program from the program itself. */
const folder = join(import.meta.dirname, '..', 'docs');
const fileFormat = join(folder, 'desired-state.md');

writeFileSync(join(folder, 'commands.md'), commandsPage());
writeFileSync(fileFormat, withKeyTables(readFileSync(fileFormat, 'utf8')));
console.log('wrote docs/commands.md and the tables of docs/desired-state.md');
