import { type Problem, problem } from '../../problem/problem.ts';
import type { Context } from '../shell/context.ts';
import type { Environment } from '../shell/io.ts';

export function isReadOnly(env: Environment): boolean {
  const value = env['RAMPART_READ_ONLY'] ?? '';
  return value !== '' && value !== '0' && value !== 'false';
}

/** Why nothing is sent where RAMPART_READ_ONLY is set. */
export function refuseWriting({ io }: Context, what: string): Problem | undefined {
  if (!isReadOnly(io.env)) return undefined;
  return problem('read-only', `${what}, and read-only mode forbids that: nothing was sent`, {
    hint: 'unset RAMPART_READ_ONLY to allow it',
  });
}
