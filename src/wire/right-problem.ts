import type { CallFailure } from '../client/call-failure.ts';
import type { Problem } from '../problem/problem.ts';

/** Why a call beside the list of hosts failed: a 403 to it says nothing of the credentials as such. */
export function rightProblem({ problem }: CallFailure, what: string): Problem {
  if (problem.code !== 'forbidden') return problem;
  return {
    ...problem,
    code: 'not-allowed',
    hint: `the credentials may not ${what}: ask for the right to it; “rampart auth --rights” tells what they may read`,
  };
}
