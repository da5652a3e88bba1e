import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildAction } from './build-action.ts';
import { buildCli } from './cli/build-cli.ts';

const root = join(import.meta.dirname, '..');

// Files of an earlier build would be published with this one.
rmSync(join(root, 'dist'), { recursive: true, force: true });
const tsc = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
process.exitCode = tsc.status ?? 1;

if (process.exitCode === 0) {
  const cli = await buildCli(join(root, 'dist', 'cli'));
  console.log(`dist/cli: ${(cli.bytes / 1e6).toFixed(1)} MB`);
  const bytes = await buildAction(join(root, 'dist', 'action'));
  console.log(`dist/action/index.js: ${(bytes / 1e6).toFixed(1)} MB`);
}
