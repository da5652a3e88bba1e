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
