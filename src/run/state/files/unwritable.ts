import { codeOf, reasonOf } from '../../../core/lib/error-code.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';

/** Why a file of the state can't be written. `what` names it: `the journal .rampart/runs/…`. */
export function unwritable(what: string, error: unknown): Problem {
  return problem('journal', `${what} can't be written (${reasonOf(error)})`, {
    hint: stateFolderHint(error),
  });
}

export function stateFolderHint(error: unknown): string {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
    ? 'free some disk space, or choose another folder with --state-dir'
    : 'choose a writable folder with --state-dir';
}
