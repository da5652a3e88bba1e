import { existsSync, readFileSync } from 'node:fs';

/** What the worker is asked to do; in a file that `RAMPART_MUTANTS` names. */
export interface Task {
  /** Numbers of the mutants, from 1. */
  readonly mutants: readonly number[];
  /** The file of records, one JSON a line. */
  readonly records: string;
  /** Slower tests are left out; absent if all are only measured: the mutants that they reach, and their time. */
  readonly slowestTestMs?: number;
  /** How much time the tests of one mutant may take in all. */
  readonly mutantMs: number;
  /** Stop here, in milliseconds since the epoch. */
  readonly until: number;
  /** Test files in the order to run them in: quick ones first notice most mutants cheaply. */
  readonly files: readonly string[];
  /** The one mutant that is on from the start, for code that runs when modules are loaded. */
  readonly fromStart?: number;
}

/** The records of a worker in progress, so that another can continue after it was stopped. */
export type Entry =
  | { readonly at: 'test'; readonly test: string }
  | { readonly at: 'reached'; readonly test: string; readonly ids: readonly number[]; readonly ms: number }
  /** Reached by no test alone, but as modules were loaded, or by what comes before and after tests. */
  | { readonly at: 'loaded'; readonly ids: readonly number[] }
  | { readonly at: 'unfit'; readonly test: string; readonly why: string }
  /**
   * The test fails without the mutant that was on before, which left something behind: another worker continues without
   * it.
   */
  | { readonly at: 'polluted'; readonly test: string }
  | { readonly at: 'begin'; readonly test: string; readonly id: number }
  | {
      readonly at: 'end';
      readonly test: string;
      readonly id: number;
      readonly verdict: Verdict;
      readonly ms: number;
    };

export type Verdict = 'passed' | 'failed' | 'timed-out';

export function readEntries(path: string): readonly Entry[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}

/** What the records of a folder say of its mutants, by their numbers. */
interface Outcome {
  readonly noticed: ReadonlySet<number>;
  /** By a test. */
  readonly reached: ReadonlySet<number>;
  readonly loaded: ReadonlySet<number>;
  /** Not noticed so far, and a test that is quick enough has not run with it. */
  readonly open: ReadonlySet<number>;
}

export function outcome(
  entries: readonly Entry[],
  { slowestTestMs, mutantMs }: { readonly slowestTestMs: number; readonly mutantMs: number },
): Outcome {
  const noticed = new Set<number>();
  const reached = new Set<number>();
  const loaded = new Set<number>();
  const unfit = new Set<string>();
  const tried = new Set<string>();
  const spentMs = new Map<number, number>();
  for (const entry of entries) {
    if (entry.at === 'loaded') for (const id of entry.ids) loaded.add(id);
    if (entry.at === 'reached') for (const id of entry.ids) reached.add(id);
    if (entry.at === 'unfit') unfit.add(entry.test);
    if (entry.at !== 'end') continue;
    reached.add(entry.id);
    tried.add(`${entry.id} ${entry.test}`);
    spentMs.set(entry.id, (spentMs.get(entry.id) ?? 0) + entry.ms);
    if (entry.verdict !== 'passed') noticed.add(entry.id);
  }
  const open = new Set<number>();
  for (const entry of entries) {
    if (entry.at !== 'reached' || entry.ms > slowestTestMs || unfit.has(entry.test)) continue;
    for (const id of entry.ids) {
      const isLeft = !noticed.has(id) && !tried.has(`${id} ${entry.test}`);
      if (isLeft && (spentMs.get(id) ?? 0) + entry.ms <= mutantMs) open.add(id);
    }
  }
  return { noticed, reached, loaded, open };
}
