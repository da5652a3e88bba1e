import { spawn } from 'node:child_process';
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MutatedFolder } from './folders.ts';
import { instrument } from './instrument.ts';
import type { Mutant } from './mutant.ts';
import { type Entry, outcome, readEntries, type Task } from './records.ts';
import { filesAt, type Tree, textOf } from './tree.ts';

export interface Bounds {
  /** Fast tests come first; slower ones must be worth the wait. */
  readonly testMs: readonly number[];
  readonly mutantMs: number;
  /** In milliseconds since the epoch. */
  readonly until: number;
}

/** `null`: nothing was tried in the time that there was. */
export type Fate = 'noticed' | 'survived' | 'unreached' | null;

/** A worker that is silent for this long hangs: with a mutant on, or in a test that is slow by itself. */
const hangsAfterMs = 30_000;
const slowAfterMs = 300_000;
/** How long a worker may take until its first test. */
const startsWithinMs = 60_000;

/** Runs the tests of a folder with each of these mutants of its sources, in a copy of the tree. */
export async function runMutants(
  tree: Tree,
  folder: MutatedFolder,
  mutants: readonly Mutant[],
  bounds: Bounds,
): Promise<ReadonlyMap<Mutant, Fate>> {
  const numbered = mutants.map((mutant, index) => ({ ...mutant, id: index + 1, mutant }));
  const texts = [...Map.groupBy(numbered, ({ file }) => file)].map(([file, of]) => {
    const text = textOf(tree.path, file);
    tree.write(file, instrument(text, of));
    return { file, text };
  });
  const records = join(tree.path, `${folder.name.replaceAll(' ', '-')}.records`);
  writeFileSync(records, '');
  const files = filesAt(tree.path, folder.tests).filter((file) => file.endsWith('.test.ts'));
  const { mutantMs, until } = bounds;
  const survey: Task = { mutantMs, until, mutants: numbered.map(({ id }) => id), records, files };
  await runAll(tree, survey);
  for (const slowestTestMs of bounds.testMs) {
    const left = filesToRun(readEntries(records), slowestTestMs);
    if (left.length > 0) await runAll(tree, { ...survey, files: left, slowestTestMs });
  }

  const slowestTestMs = Math.max(...bounds.testMs);
  const { noticed, reached, loaded, open } = outcome(readEntries(records), { slowestTestMs, mutantMs });
  const onLoad = numbered.filter(
    ({ id, isStatic }) => !noticed.has(id) && !reached.has(id) && (isStatic || loaded.has(id)),
  );
  const ran = new Set<number>();
  const failing = new Set<number>();
  const quickest = {
    ...survey,
    files: filesByTime(readEntries(records)),
    slowestTestMs: bounds.testMs[0] ?? 0,
  };
  if (onLoad.length > 0 && Date.now() < bounds.until && (await failsFromStart(tree, quickest, 0)))
    throw new Error(`the tests of ${folder.name} fail with no mutant on`);
  for (const { id } of onLoad) {
    if (Date.now() > bounds.until) break;
    ran.add(id);
    if (await failsFromStart(tree, quickest, id)) failing.add(id);
  }
  for (const { file, text } of texts) tree.write(file, text);
  const late = Date.now() > bounds.until;
  return new Map(
    numbered.map(({ id, mutant }): [Mutant, Fate] => {
      if (noticed.has(id) || failing.has(id)) return [mutant, 'noticed'];
      if (reached.has(id)) return [mutant, late && open.has(id) ? null : 'survived'];
      if (ran.has(id)) return [mutant, 'survived'];
      return [mutant, late ? null : 'unreached'];
    }),
  );
}

/** Those with a test that is quick enough and reaches a mutant that nothing has noticed. */
function filesToRun(entries: readonly Entry[], slowestTestMs: number): readonly string[] {
  const noticed = new Set(
    entries.flatMap((entry) => (entry.at === 'end' && entry.verdict !== 'passed' ? entry.id : [])),
  );
  const useful = new Set(
    entries.flatMap((entry) =>
      entry.at === 'reached' && entry.ms <= slowestTestMs && entry.ids.some((id) => !noticed.has(id))
        ? [fileOf(entry.test)]
        : [],
    ),
  );
  return filesByTime(entries).filter((file) => useful.has(file));
}

/** The quickest first. */
function filesByTime(entries: readonly Entry[]): readonly string[] {
  const spent = new Map<string, number>();
  for (const entry of entries) {
    if (entry.at !== 'reached') continue;
    spent.set(fileOf(entry.test), (spent.get(fileOf(entry.test)) ?? 0) + entry.ms);
  }
  return [...spent.keys()].toSorted((a, b) => (spent.get(a) ?? 0) - (spent.get(b) ?? 0));
}

function fileOf(test: string): string {
  return test.split(' > ', 1)[0] ?? '';
}

/** Starts another worker whenever one had to be ended, until one ends by itself. */
async function runAll(tree: Tree, task: Task): Promise<void> {
  for (;;) {
    const before = statSync(task.records).size;
    const code = await vitest(tree, task, [], () =>
      readEntries(task.records).at(-1)?.at === 'begin' ? hangsAfterMs : slowAfterMs,
    );
    const entries = readEntries(task.records);
    const last = entries.at(-1);
    if (last?.at === 'begin') {
      appendEntry(task, { ...last, at: 'end', verdict: 'timed-out', ms: hangsAfterMs });
    } else if (code === null && last?.at === 'test') {
      appendEntry(task, { at: 'unfit', test: last.test, why: 'it hangs' });
    } else if (last?.at !== 'polluted') return;
    if (Date.now() > task.until || statSync(task.records).size === before) return;
  }
}

function appendEntry(task: Task, entry: Entry): void {
  appendFileSync(task.records, `${JSON.stringify(entry)}\n`);
}

async function failsFromStart(tree: Tree, task: Task, id: number): Promise<boolean> {
  const entries = readEntries(task.records);
  const cleanMs = entries.reduce((sum, entry) => sum + (entry.at === 'reached' ? entry.ms : 0), 0);
  const boundMs = startsWithinMs + 4 * cleanMs;
  return (await vitest(tree, { ...task, fromStart: id }, ['--bail', '1'], () => boundMs)) !== 0;
}

/** Its exit code; null if it had to be ended because it was silent for too long. */
function vitest(
  tree: Tree,
  task: Task,
  flags: readonly string[],
  longestMs: () => number,
): Promise<number | null> {
  const taskFile = join(tree.path, 'mutants-task.json');
  writeFileSync(taskFile, JSON.stringify(task));
  const program = join(tree.path, 'node_modules', 'vitest', 'vitest.mjs');
  const config = join(tree.path, 'bin', 'mutants', 'vitest-options.ts');
  const child = spawn(process.execPath, [program, 'run', '--config', config, ...flags], {
    cwd: tree.path,
    env: { ...process.env, RAMPART_MUTANTS: taskFile },
    stdio: process.env['RAMPART_MUTANTS_SHOW'] === '1' ? 'inherit' : 'ignore',
    detached: true,
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const end = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const interrupted = () => {
    end();
    process.exit(130);
  };
  process.once('SIGINT', interrupted);
  let size = 0;
  let grewAt = Date.now();
  let ended = false;
  const watch = setInterval(() => {
    const now = statSync(task.records).size;
    if (now !== size) [size, grewAt] = [now, Date.now()];
    const isLate = Date.now() > task.until + hangsAfterMs;
    const quietMs = Date.now() - grewAt;
    if (ended || (!isLate && (quietMs < hangsAfterMs || quietMs < longestMs()))) return;
    ended = true;
    end();
  }, 500);
  child.once('close', (code) => {
    clearInterval(watch);
    process.off('SIGINT', interrupted);
    resolve(ended ? null : code);
  });
  return promise;
}
