import type { Problem } from '../../core/problem/problem.ts';

/** Reading stops at this many problems: nobody reads more, and a generator's mistake is in every entry. */
export const mostProblems = 1_000;

/** Collects problems in order. */
export interface ProblemList {
  add(problem: Problem): void;
  /** True if looking for more errors is useless. Warnings beyond the maximum are dropped. */
  isFull(): boolean;
  all(): readonly Problem[];
}

export function createProblemList(): ProblemList {
  const kept: Problem[] = [];
  const counts = { error: 0, warning: 0, note: 0 };
  return {
    add(problem) {
      counts[problem.severity] += 1;
      if (counts[problem.severity] <= mostProblems) kept.push(problem);
    },
    isFull: () => counts.error >= mostProblems,
    all: () => kept,
  };
}
