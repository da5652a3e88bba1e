import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildAction } from './build-action.ts';
import { buildLibrary } from './build-library.ts';
import { buildCli } from './cli/build-cli.ts';
import { buildServer } from './cli/build-server.ts';
import { writeEmptyDatabase } from './cli/write-empty-database.ts';
import { buildConsole } from './console/build-console.ts';
import { extractTypes } from './extract-types.ts';
import { generate } from './generate.ts';
import { clearPackage } from './release/clear-package.ts';

const root = join(import.meta.dirname, '..');

const dist = join(root, 'dist');
clearPackage(dist);
generate();
const tsc = spawnSync('tsc', ['-p', 'config/tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
process.exitCode = tsc.status === 0 && extractTypes('types') ? 0 : 1;

if (process.exitCode === 0) {
  const library = await buildLibrary(join(dist, 'lib'));
  console.log(`dist/lib: ${(library / 1e6).toFixed(1)} MB`);
  await writeEmptyDatabase({ anew: true });
  const cli = await buildCli(join(dist, 'cli'));
  console.log(`dist/cli: ${(cli.bytes / 1e6).toFixed(1)} MB`);
  await buildServer(join(dist, 'server'));
  const { scriptBytes } = await buildConsole(join(dist, 'server/console'));
  console.log(
    `dist/server/console: ${(scriptBytes / 1e3).toFixed(1)} kB of script on the first load, compressed`,
  );
  const bytes = await buildAction(join(dist, 'action'));
  console.log(`dist/action/index.js: ${(bytes / 1e6).toFixed(1)} MB`);
}
