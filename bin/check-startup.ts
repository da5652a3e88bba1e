/**
 * Counts the modules, and their bytes, that the built command line loads for `--version`, `validate` and `plan`. Fails
 * above a limit; `--list` prints what was loaded. Start-up time depends on both, and neither depends on the machine.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startListServer } from '../bench/plan/list-server.ts';

interface Limit {
  readonly argv: readonly string[];
  readonly modules: number;
  readonly bytes: number;
}

const limits: readonly Limit[] = [
  { argv: ['--version'], modules: 3, bytes: 7_500 },
  { argv: ['validate'], modules: 42, bytes: 528_000 },
  { argv: ['plan', '--summary'], modules: 92, bytes: 1_620_000 },
];

const main = join(import.meta.dirname, '../dist/cli/main.cjs');
const recorder = `const { statSync, writeFileSync } = require('node:fs');
process.on('exit', () => writeFileSync(process.env.LOADED_FILE, JSON.stringify(
  Object.keys(require.cache).filter((file) => file !== __filename).map((file) => [file, statSync(file).size]))));`;

const folder = mkdtempSync(join(tmpdir(), 'rampart-startup-'));
const server = await startListServer(10);
try {
  const [recorderFile, loadedFile] = [join(folder, 'recorder.cjs'), join(folder, 'loaded.json')];
  writeFileSync(recorderFile, recorder);
  writeFileSync(join(folder, 'fleet.yaml'), 'version: 1\nhosts: []\n');
  for (const { argv, modules, bytes } of limits) {
    const { status, stderr } = spawnSync(process.execPath, ['--require', recorderFile, main, ...argv], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...server.env, LOADED_FILE: loadedFile },
    });
    const command = `rampart ${argv.join(' ')}`;
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
    const loaded = JSON.parse(readFileSync(loadedFile, 'utf8')) as readonly (readonly [string, number])[];
    const total = loaded.reduce((sum, [, size]) => sum + size, 0);
    console.log(`${command}: ${loaded.length} modules, ${total} bytes`);
    if (process.argv.includes('--list'))
      for (const [file, size] of loaded.toSorted(([, a], [, b]) => b - a)) console.log(`  ${size} ${file}`);
    if (loaded.length > modules || total > bytes) {
      console.error(`${command} may load at most ${modules} modules and ${bytes} bytes`);
      console.error('To see what was loaded, run "node bin/check-startup.ts --list".');
      process.exitCode = 1;
    }
  }
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}
