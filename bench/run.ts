/**
 * Runs benches one after another, each in a separate process: all of them, or those that are named.
 *
 *     node bench/run.ts [--quick] [--million] [--out FILE] [NAME...]
 *
 * A whole run writes `bench/results.md`; any other run writes a page only where `--out` asks for one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from './report/machine.ts';
import { type Entry, entriesVariable } from './report/report.ts';
import { type BenchResult, resultsPage } from './report/results-page.ts';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    million: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
  allowPositionals: true,
});
const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted();
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(3);
}
const isWhole = positionals.length === 0 && !values.quick && !values.million;
const out = values.out ?? (isWhole ? join(import.meta.dirname, 'results.md') : undefined);

const sizes = [...(values.million ? ['--million'] : []), ...(values.quick ? ['--quick'] : [])];
const command = ['npm run bench', ...(isWhole ? [] : ['--', ...process.argv.slice(2)])].join(' ');
const machine = describeMachine();
const folder = mkdtempSync(join(tmpdir(), 'rampart-bench-'));
const results: BenchResult[] = [];
for (const name of positionals.length === 0 ? all : positionals) {
  results.push(await runBench(name));
  if (out !== undefined) writeFileSync(out, resultsPage({ machine, command, results }));
}
rmSync(folder, { recursive: true });
const failed = results.filter((result) => result.failed).map(({ name }) => name);
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

async function runBench(name: string): Promise<BenchResult> {
  console.log(`\n# ${name}\n`);
  const telling = join(folder, name);
  writeFileSync(telling, '');
  const start = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...sizes], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, [entriesVariable]: telling },
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
    process.stdout.write(chunk);
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject);
  child.once('close', ended.resolve);
  const exitCode = await ended.promise;
  const lines = readFileSync(telling, 'utf8').split('\n').slice(0, -1);
  return {
    name,
    seconds: (performance.now() - start) / 1000,
    failed: exitCode !== 0,
    entries: lines.map((line) => JSON.parse(line) as Entry),
    printed,
  };
}
