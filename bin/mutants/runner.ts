import { appendFileSync, readFileSync } from 'node:fs';
import { TestRunner } from 'vitest';
import { type Entry, readEntries, type Task, type Verdict } from './records.ts';

type Test = Parameters<TestRunner['onBeforeTryTask']>[0];

/** Tests may replace these while they run. */
const { setTimeout: later, clearTimeout: never } = globalThis;
const now = performance.now.bind(performance);

const taskFile = process.env['RAMPART_MUTANTS'];
const task = taskFile === undefined ? null : (JSON.parse(readFileSync(taskFile, 'utf8')) as Task);

let active = task?.fromStart ?? 0;
let reached = new Set<number>();
let checks = 0;
let maxChecks = Number.POSITIVE_INFINITY;

/** What the switches in the source ask. A loop that a mutant made endless comes by here, and ends. */
function isOn(id: number): boolean {
  if (active === 0) {
    reached.add(id);
    checks += 1;
    return false;
  }
  checks += 1;
  if (checks > maxChecks) throw new Error('the mutant made a loop endless');
  return id === active;
}

/** How far a test has come: clean first, then mutant by mutant. */
interface Progress {
  readonly key: string;
  cleanRuns: number;
  cleanMs: number;
  cleanChecks: number;
  readonly waiting: number[];
  /** The mutant that was noticed just now: one clean run shows that it left nothing behind. */
  suspect: number | null;
}

/**
 * The first time, runs each test clean, to see which mutants it reaches and how long it takes. After that, runs it
 * clean again, to see that it can be repeated, and then with each of them on that no test has noticed yet.
 */
export default class MutantRunner extends TestRunner {
  readonly #alive = new Set<number>(task?.mutants);
  readonly #spentMs = new Map<number, number>();
  readonly #tried = new Map<string, Set<number>>();
  readonly #reached = new Map<string, { readonly ids: readonly number[]; readonly ms: number }>();
  readonly #unfit = new Set<string>();
  #progress: Progress | null = null;
  #startedAt = 0;
  #timedOut = false;
  #isOpen = false;

  constructor(...given: ConstructorParameters<typeof TestRunner>) {
    super(...given);
    if (task === null) return;
    (globalThis as { rampartMutant?: typeof isOn }).rampartMutant = isOn;
    process.env['RAMPART_MUTANT'] = String(active);
    for (const entry of readEntries(task.records)) {
      if (entry.at === 'end') this.#ended(entry.test, entry.id, entry.verdict, entry.ms);
      if (entry.at === 'unfit') this.#unfit.add(entry.test);
      if (entry.at === 'reached') this.#reached.set(entry.test, entry);
    }
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#progress = null;
    this.#isOpen = false;
    if (task === null || test.type !== 'test' || test.mode === 'skip') return;
    const key = keyOf(test);
    const waiting = this.#waitingFor(key);
    if (waiting === null) {
      test.mode = 'skip';
      return;
    }
    if (task.fromStart !== undefined) return;
    record({ at: 'test', test: key });
    this.#progress = { key, cleanRuns: 0, cleanMs: 0, cleanChecks: 0, waiting, suspect: null };
    test.repeats = Number.MAX_SAFE_INTEGER;
    test.retry = 0;
  }

  /** The mutants with which this test must still run; null if there is no reason to run it. */
  #waitingFor(key: string): number[] | null {
    if (task === null || this.#unfit.has(key) || Date.now() > task.until) return null;
    const { slowestTestMs } = task;
    const known = this.#reached.get(key);
    if (slowestTestMs === undefined) return known === undefined ? [] : null;
    if (known === undefined || known.ms > slowestTestMs) return null;
    if (task.fromStart !== undefined) return [];
    const tried = this.#tried.get(key);
    const waiting = known.ids.filter(
      (id) =>
        this.#alive.has(id) &&
        tried?.has(id) !== true &&
        (this.#spentMs.get(id) ?? 0) + known.ms <= task.mutantMs,
    );
    return waiting.length === 0 ? null : waiting;
  }

  override onBeforeTryTask(...given: Parameters<TestRunner['onBeforeTryTask']>): void {
    const progress = this.#progress;
    if (progress !== null) {
      // vitest continues without `onAfterRetryTask` when it can't print the value that an assertion failed on.
      if (this.#isOpen) this.#settle(progress, false);
      this.#isOpen = true;
      const isClean = progress.cleanRuns === 0 || progress.suspect !== null || progress.waiting.length === 0;
      active = isClean ? 0 : (progress.waiting[0] as number);
      if (isClean) {
        if (task?.slowestTestMs === undefined && reached.size > 0)
          record({ at: 'loaded', ids: [...reached] });
        reached = new Set();
      } else record({ at: 'begin', test: progress.key, id: active });
      process.env['RAMPART_MUTANT'] = String(active);
      checks = 0;
      maxChecks = 100 * progress.cleanChecks + 100_000;
      this.#timedOut = false;
      this.#startedAt = now();
    }
    super.onBeforeTryTask(...given);
  }

  async runTask(test: Test): Promise<void> {
    const run = TestRunner.getTestFn(test) as () => Promise<void>;
    if (active === 0 || this.#progress === null) return run();
    const boundMs = 1500 + 4 * this.#progress.cleanMs;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = later(() => {
      this.#timedOut = true;
      resolve();
    }, boundMs);
    try {
      await Promise.race([run(), promise]);
    } finally {
      never(timer);
    }
    if (this.#timedOut) throw new Error(`not done after ${boundMs} ms`);
  }

  override async onAfterRetryTask(...given: Parameters<TestRunner['onAfterRetryTask']>): Promise<void> {
    await super.onAfterRetryTask(...given);
    const [test] = given;
    const progress = this.#progress;
    if (task === null || progress === null || test.result === undefined) return;
    this.#settle(progress, test.result.state !== 'fail');
    test.result.state = 'pass';
    delete test.result.errors;
    test.result.attempts?.splice(0);
    const isOver = progress.cleanRuns > 0 && progress.suspect === null && progress.waiting.length === 0;
    // The only way to stop the repetitions.
    if (isOver || Date.now() > task.until) test.result.state = 'skip';
  }

  #settle(progress: Progress, passed: boolean): void {
    this.#isOpen = false;
    const ms = now() - this.#startedAt;
    const ended = active;
    active = 0;
    if (ended === 0) this.#ranClean(progress, passed, ms);
    else {
      const verdict = passed ? 'passed' : this.#timedOut ? 'timed-out' : 'failed';
      record({ at: 'end', test: progress.key, id: ended, verdict, ms });
      this.#ended(progress.key, ended, verdict, ms);
      progress.waiting.shift();
      if (verdict !== 'passed') progress.suspect = ended;
    }
  }

  #ranClean(progress: Progress, passed: boolean, ms: number): void {
    progress.cleanRuns += 1;
    if (!passed) {
      if (progress.suspect !== null) {
        record({ at: 'polluted', test: progress.key });
        // The leftovers may be in a module that other tests use, so they start again. vitest forbids `exit`.
        process.kill(process.pid, 'SIGKILL');
      } else record({ at: 'unfit', test: progress.key, why: 'it fails with no mutant on' });
      progress.waiting.splice(0);
      return;
    }
    progress.suspect = null;
    progress.cleanMs = ms;
    progress.cleanChecks = checks;
    if (task?.slowestTestMs === undefined) {
      record({ at: 'reached', test: progress.key, ids: [...reached], ms });
      reached = new Set();
    }
  }

  #ended(test: string, id: number, verdict: Verdict, ms: number): void {
    if (verdict !== 'passed') this.#alive.delete(id);
    this.#spentMs.set(id, (this.#spentMs.get(id) ?? 0) + ms);
    const tried = this.#tried.get(test);
    if (tried === undefined) this.#tried.set(test, new Set([id]));
    else tried.add(id);
  }
}

function keyOf(test: Test): string {
  const names = [test.name];
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) names.unshift(suite.name);
  return [test.file.name, ...names].join(' > ');
}

function record(entry: Entry): void {
  if (task !== null) appendFileSync(task.records, `${JSON.stringify(entry)}\n`);
}
