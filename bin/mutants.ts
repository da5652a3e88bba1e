import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { acceptedMutants } from './mutants/accepted.ts';
import { findMutants } from './mutants/find-mutants.ts';
import { mutatedFolders } from './mutants/folders.ts';
import { describeMutant, type Mutant } from './mutants/mutant.ts';
import { type Fate, runMutants } from './mutants/run-mutants.ts';
import { isSurelyBelow, sampleOf, seedOf } from './mutants/sample.ts';
import { copyTree, filesAt, textOf } from './mutants/tree.ts';

const usage = `Changes what keeps users safe, one small place at a time, and counts how many changes the tests notice.

  npm run mutants                              every mutant of every folder: this takes a while
  npm run mutants -- --folder guards           of one folder; again for more
  npm run mutants -- --file guard.ts           of the files whose path ends so; again for more
  npm run mutants -- --sample 100 --seed 7     so many, drawn by chance; the seed is that of the sources when absent
  npm run mutants -- --draw 4                  of so many folders, drawn by chance
  npm run mutants -- --seconds 90              stop after so long, and count what was tried
  npm run mutants -- --slowest 5000            also run tests that take up to so many milliseconds; 1000 when absent
  npm run mutants -- --least 80                fail when a score is below so many percent, or a sample shows that it surely is; 90 when absent`;

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true },
    sample: { type: 'string' },
    draw: { type: 'string' },
    seed: { type: 'string' },
    seconds: { type: 'string' },
    slowest: { type: 'string', default: '1000' },
    least: { type: 'string', default: '90' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  console.log(usage);
  process.exit();
}

const root = join(import.meta.dirname, '..');
const until =
  values.seconds === undefined ? Number.MAX_SAFE_INTEGER : Date.now() + 1000 * Number(values.seconds);
const reasons = new Map(acceptedMutants.map((each) => [`${each.file}\n${each.change}`, each.reason]));
const keyOf = (mutant: Mutant) => `${mutant.file}\n${describeMutant(mutant)}`;

const folders = mutatedFolders
  .filter(({ name }) => values.folder?.includes(name) ?? true)
  .map((folder) => ({
    folder,
    mutants: filesAt(root, folder.sources)
      .filter((file) => values.file?.some((end) => file.endsWith(end)) ?? true)
      .flatMap((file) => findMutants(file, textOf(root, file))),
  }))
  .filter(({ mutants }) => mutants.length > 0);
if (folders.length === 0)
  fail(`no such folder: there are ${mutatedFolders.map(({ name }) => `"${name}"`).join(', ')}`);
const all = folders.flatMap(({ mutants }) => mutants);
if (values.folder === undefined && values.file === undefined) checkAccepted(all);

const slowestMs = Number(values.slowest);
const size = values.sample === undefined ? all.length : Number(values.sample);
const seed = values.seed ?? seedOf(all);
const among = sampleOf(folders, Number(values.draw ?? folders.length), seed, ({ folder }) => folder.name);
const drawn = new Set(
  sampleOf(
    among.flatMap(({ mutants }) => mutants).filter((each) => !reasons.has(keyOf(each))),
    size,
    seed,
    ({ file }) => file,
  ),
);
if (values.sample !== undefined) console.log(`${drawn.size} of ${all.length} mutants, seed ${seed}`);

const tree = copyTree(root);
process.once('exit', () => tree.remove());
const fates = new Map<Mutant, Fate>();
const scores: {
  readonly name: string;
  readonly noticed: number;
  readonly tried: number;
  readonly accepted: number;
}[] = [];
const tried = folders
  .map((each) => ({ ...each, chosen: each.mutants.filter((mutant) => drawn.has(mutant)) }))
  .filter(({ chosen }) => chosen.length > 0);
for (const [index, { folder, mutants, chosen }] of tried.entries()) {
  // Each folder gets its part of the time that is left.
  const share = Date.now() + Math.max(0, until - Date.now()) / (tried.length - index);
  const results = await runMutants(tree, folder, chosen, {
    testMs: [...new Set([100, 1000, slowestMs])].filter((each) => each <= slowestMs),
    mutantMs: 4 * slowestMs,
    until: share,
  });
  for (const [mutant, fate] of results) fates.set(mutant, fate);
  const known = [...results.values()].filter((fate) => fate !== null);
  const noticed = known.filter((fate) => fate === 'noticed').length;
  const accepted = mutants.filter((each) => reasons.has(keyOf(each))).length;
  scores.push({ name: folder.name, noticed, tried: known.length, accepted });
  for (const [mutant, fate] of results) {
    if (fate === 'survived' || fate === 'unreached') console.log(survivorText(mutant, fate));
  }
}

console.log(`\n${'folder'.padEnd(24)} score   noticed   of   accepted`);
const least = Number(values.least);
for (const { name, noticed, tried, accepted } of scores) {
  console.log(
    `${name.padEnd(24)} ${percent(noticed, tried).padStart(5)}   ${String(noticed).padStart(7)} ${String(tried).padStart(4)}   ${String(accepted).padStart(8)}`,
  );
}
const [noticed, known] = [sum(scores.map((each) => each.noticed)), sum(scores.map((each) => each.tried))];
console.log(
  `${'all'.padEnd(24)} ${percent(noticed, known).padStart(5)}   ${String(noticed).padStart(7)} ${String(known).padStart(4)}`,
);
const left = [...fates.values()].filter((fate) => fate === null).length;
if (left > 0)
  console.log(`${left} of them were not tried with all of their tests in this time, and do not count`);
if (known === 0) fail('no mutant was tried in this time');
// A sample holds too few of one folder to judge it by them, and is low by chance now and then.
const low =
  values.sample === undefined
    ? scores.filter((each) => 100 * each.noticed < least * each.tried)
    : [{ name: 'the sample', noticed, tried: known }].filter((each) => isSurelyBelow(least / 100, each));
if (low.length > 0) fail(`below ${least} %: ${low.map(({ name }) => name).join(', ')}`);

function survivorText(mutant: Mutant, fate: 'survived' | 'unreached'): string {
  const why = fate === 'survived' ? 'no test notices it' : 'no test reaches it';
  return `${mutant.file}:${mutant.line}:${mutant.column}  ${why}\n    ${describeMutant(mutant)}`;
}

function checkAccepted(mutants: readonly Mutant[]): void {
  const known = new Set(mutants.map(keyOf));
  const stale = [...reasons.keys()].filter((key) => !known.has(key));
  if (stale.length > 0) {
    fail(`bin/mutants/accepted.ts names mutants that there are no more:\n${stale.join('\n')}`);
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(0)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
