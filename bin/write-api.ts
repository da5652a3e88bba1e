import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Builds, then writes what the package shows to docs/reference/api, for a reviewer to compare. */
for (const command of [
  ['node', 'bin/build.ts'],
  ['api-extractor', 'run', '--local'],
  ['api-extractor', 'run', '--local', '--config', 'api-extractor.cdktf.json'],
  ['api-extractor', 'run', '--local', '--config', 'api-extractor.client.json'],
] as const) {
  const [program, ...argv] = command;
  const { status } = spawnSync(program, argv, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
