import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { extractTypes } from './extract-types.ts';

const root = join(import.meta.dirname, '..');
/** Compares with the reports in config/api instead of writing them, and expects a build. */
const onlyChecks = process.argv.includes('--check');

if (!onlyChecks) {
  const { status } = spawnSync('node', ['bin/build.ts'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
if (!extractTypes(onlyChecks ? 'compare' : 'reports')) process.exitCode = 1;
