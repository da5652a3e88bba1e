import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** What mends it, where a command does. */
  readonly fix?: string;
}

const root = join(import.meta.dirname, '..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  string,
  string
>;
const tarball = join('.cache', `${name}-${version}.tgz`);

const checks: readonly Check[] = [
  { name: 'generated sources', command: ['node', 'bin/generate.ts'] },
  { name: 'biome', command: ['biome', 'check', '--error-on-warnings'], fix: 'npm run format' },
  {
    name: 'oxlint',
    command: ['oxlint', '--type-aware', '--deny-warnings', 'src', 'test', 'examples', 'bench', 'bin'],
  },
  { name: 'tsc', command: ['tsc'] },
  { name: 'tsc of the console', command: ['tsc', '-p', 'src/console'] },
  { name: 'floors', command: ['vitest', 'run', 'test/floors.test.ts'] },
  { name: 'knip', command: ['knip', '--config', 'config/knip.json'] },
  {
    name: 'exports that only tests use',
    command: ['knip', '--config', 'config/knip.json', '--production', '--include', 'files,exports,types'],
    fix: 'a test of the function that src/ uses, or no export',
  },
  { name: 'build', command: ['node', 'bin/build.ts'] },
  {
    name: 'start-up',
    command: ['node', 'bin/check-startup.ts'],
    fix: 'a lazy import of what the command needs only sometimes, or a higher limit in bin/check-startup.ts',
  },
  { name: 'package', command: ['node', 'bin/check-package.ts'] },
  { name: 'pack', command: ['npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', '.cache'] },
  { name: 'publint', command: ['publint', 'run', tarball, '--strict'] },
  { name: 'attw', command: ['attw', tarball, '--profile', 'esm-only', '--no-emoji'] },
  {
    name: 'public API',
    command: ['node', 'bin/write-api.ts', '--check'],
    fix: 'npm run api, and review what changed in config/api',
  },
  {
    name: 'mutants',
    command: ['node', 'bin/mutants.ts', '--draw', '4', '--sample', '40', '--seconds', '120', '--least', '80'],
    fix: 'a test that notices what is listed above, or an entry in bin/mutants/accepted.ts',
  },
];

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

mkdirSync(join(root, '.cache'), { recursive: true });
const start = performance.now();
for (const [index, check] of checks.entries()) {
  const [command, ...argv] = check.command as readonly [string, ...string[]];
  console.log(`\n[${index + 1}/${checks.length}] ${check.name}`);
  const began = performance.now();
  const { status, signal, error } = spawnSync(command, argv, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\ncheck failed: ${check.name} (${error?.message ?? signal ?? `exit code ${status}`})`);
    if (check.fix !== undefined) console.error(`to fix it: ${check.fix}`);
    process.exit(1);
  }
  console.log(`    ${check.name} is fine, ${seconds(began)}`);
}
console.log(`\nall ${checks.length} checks are fine, ${seconds(start)}`);
