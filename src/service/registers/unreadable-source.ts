import { type Problem, problem } from '../../core/problem/problem.ts';

/** A register that was not read. `why` contains no row and no credentials. */
export function unreadableSource(source: string, why: string, hint?: string): Problem {
  return problem(
    'table-unreadable',
    `the source "${source}" can't be read: ${why}`,
    hint === undefined ? {} : { hint },
  );
}
