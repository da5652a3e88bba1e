import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** The command that fixes it, if there is one. */
  readonly fix?: string;
}

const root = join(import.meta.dirname, '..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
  string,
  string
>;
const tarball = join('.cache', `${name}-${version}.tgz`);

/** What others read. */
const first: readonly Check[] = [{ name: 'generated sources', command: ['node', 'bin/generate.ts'] }];

/**
 * The checks of one list run one after another, in parallel with those of the other list: many of them use one core.
 */
const lanes: readonly (readonly Check[])[] = [
  [
    { name: 'biome', command: ['biome', 'check', '--error-on-warnings'], fix: 'npm run format' },
    {
      name: 'oxlint',
      command: ['oxlint', '--type-aware', '--deny-warnings', 'src', 'test', 'examples', 'bench', 'bin'],
    },
    { name: 'tsc', command: ['tsc'] },
    { name: 'tsc of the console', command: ['tsc', '-p', 'src/console'] },
  ],
  [
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
    {
      name: 'pack',
      command: ['npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', '.cache'],
    },
    { name: 'publint', command: ['publint', 'run', tarball, '--strict'] },
    { name: 'attw', command: ['attw', tarball, '--profile', 'esm-only', '--no-emoji'] },
    {
      name: 'public API',
      command: ['node', 'bin/write-api.ts', '--check'],
      fix: 'npm run api, and review what changed in config/api',
    },
  ],
];

/** A small sample: "npm run mutants" tries all of them. */
const last: readonly Check[] = [
  {
    name: 'mutants',
    command: ['node', 'bin/mutants.ts', '--draw', '1', '--sample', '15', '--seconds', '150', '--least', '80'],
    fix: 'a test that notices what is listed above, or an entry in bin/mutants/accepted.ts',
  },
];

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const total = first.length + lanes.flat().length + last.length;
const failed: string[] = [];
let ended = 0;

/** Runs checks in order, and shows the output of each once it has ended. A failing check hides no other. */
async function runAll(checks: readonly Check[]): Promise<void> {
  for (const { name, command, fix } of checks) {
    const [program, ...argv] = command as readonly [string, ...string[]];
    const began = performance.now();
    const child = spawn(program, argv, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [status, signal] = await once(child, 'close').catch((error: Error) => [null, error.message]);
    ended += 1;
    console.log(`\n[${ended}/${total}] ${name}\n${output.trimEnd()}`);
    if (status !== 0) {
      console.error(`\ncheck failed: ${name} (${signal ?? `exit code ${status}`})`);
      if (fix !== undefined) console.error(`to fix it: ${fix}`);
      failed.push(name);
    } else console.log(`    ${name} is fine, ${seconds(began)}`);
  }
}

mkdirSync(join(root, '.cache'), { recursive: true });
const start = performance.now();
await runAll(first);
await Promise.all(lanes.map(runAll));
await runAll(last);
if (failed.length === 0) console.log(`\nall ${total} checks are fine, ${seconds(start)}`);
else {
  console.error(`\n${failed.length} of ${total} checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
