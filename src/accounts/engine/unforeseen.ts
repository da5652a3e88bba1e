import { type Problem, problem } from '../../core/problem/problem.ts';

export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A defect of Rampart as one line; the stack is shown only on request. */
export function unforeseen(error: unknown): Problem {
  const message = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  return problem('unforeseen', `${message || 'no message'}`, {
    hint: 'this is a bug in Rampart; set RAMPART_LOG=debug for details',
  });
}
