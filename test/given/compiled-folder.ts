import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where Node keeps the compiled modules of tests, and of the programs that they start. */
export const compiledFolder = join(import.meta.dirname, '../../node_modules/.cache/rampart-compiled');

const oneDayMs = 24 * 60 * 60 * 1000;

/** Vitest gives the module of each test file a new address in each run, so most of what was kept is never read again. */
export function removeOldCompiled(): void {
  if (!existsSync(compiledFolder)) return;
  for (const file of readdirSync(compiledFolder, { recursive: true, encoding: 'utf8' })) {
    const path = join(compiledFolder, file);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === true && Date.now() - found.mtimeMs > oneDayMs) rmSync(path, { force: true });
  }
}
