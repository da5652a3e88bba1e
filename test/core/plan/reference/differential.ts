/**
 * Compares the planner with the reference planner in random cases, until a case differs or someone stops it:
 * `npm run differential -- [--seed N] [--cases N]`. A seed stands for one batch of cases. If a case differs, it prints
 * the seed, the smallest such case and what differs, and `--seed` repeats that batch.
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { anyCase } from './any-case.ts';
import { differencesOf } from './differences.ts';

const batch = 1_000;
const { values } = parseArgs({ options: { seed: { type: 'string' }, cases: { type: 'string' } } });
const most = Number(values.cases ?? (values.seed === undefined ? Number.POSITIVE_INFINITY : batch));
const start = performance.now();
// Rules that fail are part of the cases, and their places are ignored.
Error.stackTraceLimit = 0;

let seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
let tried = 0;
for (; tried < most && process.exitCode === undefined; seed += 1) {
  const checked = fc.check(
    fc.property(anyCase, (given) => differencesOf(given).length === 0),
    { numRuns: Math.min(batch, most - tried), seed },
  );
  tried += checked.numRuns;
  const [smallest] = checked.counterexample ?? [];
  if (smallest !== undefined) {
    const what = [`seed ${seed}`, JSON.stringify(smallest, undefined, 2), ...differencesOf(smallest)];
    process.stdout.write(`${what.join('\n')}\n`);
    process.exitCode = 1;
  } else if (tried % (20 * batch) === 0)
    process.stdout.write(`${count(tried)} cases are equal, up to seed ${seed}\n`);
}
if (process.exitCode === undefined) {
  const seconds = Math.round((performance.now() - start) / 1000);
  process.stdout.write(`${count(tried)} cases are equal, in ${seconds} s\n`);
}

function count(number: number): string {
  return number.toLocaleString('en');
}
