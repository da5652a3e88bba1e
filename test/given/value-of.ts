import type { Result } from '../../src/core/problem/problem.ts';

/** The value of a result that is expected to have one. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join('; '));
  return result.value;
}
