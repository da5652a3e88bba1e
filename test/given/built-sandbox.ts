import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Scripts run in the sandbox of the built program, because its process starts in half the time of the sources. A worker
 * loads this file before anything else, so it imports only Node's built-ins.
 */
const folder = process.env['RAMPART_TEST_PROGRAM'];

if (folder !== undefined)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      return url.endsWith('/src/input/typescript/script-process.ts')
        ? { ...loaded, source: startsBuiltSandbox(readFileSync(new URL(url), 'utf8'), folder) }
        : loaded;
    },
  });

function startsBuiltSandbox(text: string, programFolder: string): string {
  const program = JSON.stringify(pathToFileURL(join(programFolder, 'main.cjs')).href);
  const built = text
    .replace("import.meta.url.endsWith('.ts')", 'false')
    .replace(', import.meta.url)', `, ${program})`);
  if (!built.includes('= false') || !built.includes(program))
    throw new Error('script-process.ts has nothing to replace');
  return built;
}
