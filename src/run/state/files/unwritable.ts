import { codeOf, reasonOf } from '../../../core/lib/error-code.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';

/** Why a file of the state can't be written. `what` names it: `the journal .rampart/runs/…`. */
export function unwritable(what: string, error: unknown): Problem {
  const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(error));
  return problem('journal', `${what} can't be written (${reasonOf(error)})`, {
    hint: isFull
      ? 'free some disk space, or choose another folder with --state-dir'
      : 'choose a writable folder with --state-dir',
  });
}
