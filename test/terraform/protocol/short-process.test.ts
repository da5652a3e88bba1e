import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const given = join(import.meta.dirname, 'given');

/** What a process prints about V8. */
function printedBy(...args: readonly string[]): unknown {
  const { TF_PLUGIN_MAGIC_COOKIE: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ['--allow-natives-syntax', ...args], {
    encoding: 'utf8',
    env,
  });
  return JSON.parse(stdout);
}

test.each([
  ['the 10,000th call', 'calls'],
  ['a rampart_fleet reads 5,000 hosts', 'fleets'],
])('V8 fully optimizes no code of the provider until %s', (_until, work) => {
  expect(printedBy(join(given, 'small-main.ts'), work)).toEqual([true, false, false, true]);
});

test('the program of the provider starts without fully optimized code', () => {
  const main = join(import.meta.dirname, '../../../src/terraform/main.ts');
  expect(printedBy('--import', join(given, 'print-optimizing.ts'), main)).toEqual([false]);
});
