import { join } from 'node:path';
import { buildConsole } from './console/build-console.ts';

/** Builds the web console into dist/console: `npm run console`. */
const { scriptBytes } = await buildConsole(join(import.meta.dirname, '../dist/console'));
console.log(`dist/console: ${(scriptBytes / 1e3).toFixed(1)} kB of script on the first load, compressed`);
