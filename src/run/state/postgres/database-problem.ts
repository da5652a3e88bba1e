import { certificateErrors, handshakeErrors } from '../../../core/lib/tls-errors.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { NewerTables } from './migrate-forward.ts';

const refused = new Set(['28P01', '28000']);
const unmigrated = new Set(['42P01', '3F000', '42703']);
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const shuttingDown = new Set(['57P01', '57P02', '57P03', '53300', '25P03']);

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** The connection broke or could not be made, so the same statement may succeed later. */
export function isPassingFault(error: unknown): boolean {
  const code = codeOf(error);
  if (unreachable.has(code) || shuttingDown.has(code) || code.startsWith('08')) return true;
  // The driver's own errors have no code.
  return code === '' && error instanceof Error && /terminated|timeout|connection|ended/i.test(error.message);
}

/**
 * Others at the same time made the transaction fail, so the same transaction may succeed now: they waited for each other,
 * or a row that another one was writing has the same key.
 */
export function lostAgainstOthers(error: unknown): boolean {
  return ['40P01', '40001', '23505'].includes(codeOf(error));
}

/** The disk of the database has no space for what a statement writes. */
export function isFullDisk(error: unknown): boolean {
  const code = codeOf(error);
  return code === '53100' || code === 'ENOSPC';
}

/** The problem that describes a failure. The driver's own text is never shown, because it may quote the address. */
export function databaseProblem(error: unknown, place: string): Problem {
  if (error instanceof NewerTables)
    return problem('state', `${place} was updated by a newer version of Rampart`, {
      hint: 'start that version; running processes of this version continue until you stop them',
    });
  const code = codeOf(error);
  if (refused.has(code))
    return problem('not-authenticated', `${place} refuses the user or the password`, {
      hint: 'check RAMPART_STATE_URL, or the file that RAMPART_STATE_URL_FILE names',
    });
  if (code === '42501')
    return problem('forbidden', `this user has no right to write to ${place}`, {
      hint: 'grant it the rights that docs/guides/shared-state.md lists',
    });
  if (code === '25006')
    return problem('state', `${place} is read-only`, { hint: 'use the address of the primary server' });
  if (isFullDisk(error))
    return problem('state', `${place} has no space left on its disk`, {
      hint: 'free some space, then try again',
    });
  if (unmigrated.has(code)) return notMigrated(place);
  if (code === '3D000')
    return problem('state', `${place} does not exist`, {
      hint: 'create it, then run: rampart state migrate',
    });
  if (isTls(error))
    return problem(
      'state',
      `${place} can't be reached over TLS (${code === '' ? 'the server does not offer it' : code})`,
      {
        hint: 'check sslmode and sslrootcert in the address, or set NODE_EXTRA_CA_CERTS',
      },
    );
  if (isPassingFault(error))
    return problem('state', `${place} can't be reached (${code === '' ? 'the connection broke' : code})`, {
      hint: 'check the address and the network, then try again',
    });
  return problem('state', `${place} failed (${code === '' ? 'no code' : code})`);
}

function isTls(error: unknown): boolean {
  return (
    [certificateErrors, handshakeErrors, /^ERR_TLS_/].some((each) => each.test(codeOf(error))) ||
    (error instanceof Error && /does not support SSL/.test(error.message))
  );
}

export function notMigrated(place: string): Problem {
  return problem('state', `${place} does not have the tables of this Rampart version`, {
    hint: 'run once, as a user who may create tables: rampart state migrate',
  });
}
