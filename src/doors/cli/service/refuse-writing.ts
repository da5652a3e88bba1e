import { type Problem, problem } from '../../../core/problem/problem.ts';
import { readOnlyOf } from '../../../service/client/read-only.ts';
import type { Context } from '../shell/context.ts';
import type { Environment } from '../shell/io.ts';

export function isReadOnly(env: Environment): boolean {
  return readOnlyOf(env['RAMPART_READ_ONLY']) !== false;
}

/** Why nothing is sent if RAMPART_READ_ONLY is set. */
export function refuseWriting({ io }: Context, what: string): Problem | undefined {
  if (!isReadOnly(io.env)) return undefined;
  return problem('read-only', `${what}, which read-only mode blocks: nothing was sent`, {
    hint: 'unset RAMPART_READ_ONLY to allow it',
  });
}

/** Why no report is made: it changes no host, but uses the only report slot of the account. */
export function refuseReports({ io }: Context): Problem | undefined {
  if (readOnlyOf(io.env['RAMPART_READ_ONLY']) !== true) return undefined;
  return problem(
    'read-only',
    'inventory comes from reports, which occupy the only report slot of the account, and read-only mode blocks that: nothing was sent',
    { hint: 'set RAMPART_READ_ONLY=reports to allow only reports' },
  );
}
