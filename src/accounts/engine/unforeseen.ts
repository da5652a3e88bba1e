import { codeOf } from '../../core/lib/error-code.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A defect of Rampart, or a folder that can't be written, as one line; the stack is shown only on request. */
export function unforeseen(error: unknown): Problem {
  const message = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  if (/^(EACCES|EPERM|EROFS|ENOSPC|EDQUOT|EIO)$/.test(codeOf(error)) && Object.hasOwn(error as Error, 'path'))
    return problem('file-not-written', `${message}`, {
      hint: 'check its permissions and the free space, or run the command in another folder',
    });
  return problem('unforeseen', `${message || 'no message'}`, {
    hint: 'this is a bug in Rampart; set RAMPART_LOG=debug for details',
  });
}
