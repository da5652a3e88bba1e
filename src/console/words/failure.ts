import type { AccountRow } from '../../api/accounts.ts';
import { printable } from '../../core/lib/printable.ts';

const texts: Readonly<Record<string, string>> = {
  'not-authenticated': 'the service does not accept the key',
  forbidden: 'the service forbids what the key asks for',
  'server-error': 'the service answers with an error',
  'rate-limited': 'the service refuses calls because of its rate limit',
  network: 'the service does not answer',
  'timed-out': 'the service does not answer in time',
};

/** Why an account fails, in a few words where the reason is a usual one. */
export function failureText({ code, message }: NonNullable<AccountRow['failure']>): string {
  return texts[code] ?? printable(message);
}
