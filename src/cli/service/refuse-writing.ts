import type { AccountConfig } from '../../accounts/config/account-config.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { quoted } from '../../core/lib/words.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { readOnlyOf } from '../../service/client/read-only.ts';
import type { Context } from '../shell/context.ts';

export function isReadOnly(env: Environment): boolean {
  return readOnlyOf(env['RAMPART_READ_ONLY']) !== false;
}

/** Why nothing is sent if RAMPART_READ_ONLY is set, or the account is only observed. */
export function refuseWriting({ io, account }: Context, what: string): Problem | undefined {
  if (!isReadOnly(io.env)) return account && observedOnly(account, `${what}: nothing was sent`);
  return problem('read-only', `${what}, which read-only mode blocks: nothing was sent`, {
    hint: 'unset RAMPART_READ_ONLY to allow it',
  });
}

/** Why an account in mode `observe` is not changed. */
export function observedOnly(
  { name, mode, place, places }: AccountConfig,
  what: string,
): Problem | undefined {
  if (mode !== 'observe') return undefined;
  return problem('read-only', `the account ${quoted(name)} is in mode observe, and ${what}`, {
    place: places['mode'] ?? place,
    hint: 'to change the account, set its mode to propose or correct in rampart.config.yaml',
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
