import { once } from '../../core/lib/once.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { Exchange, RequestMessage } from '../contract/message.ts';
import { type EmulatorCredentials, readClaim } from './credentials.ts';
import {
  createEmulator,
  credentialsFor,
  type Emulator,
  type EmulatorOptions,
  type Respond,
} from './emulator.ts';

/** Several accounts of one service at one address, each with its own fleet, key, session, limits and faults. */
export interface EmulatedAccounts {
  readonly exchange: Exchange;
  readonly respond: Respond;
  /** What each account accepts, in the given order. */
  readonly credentials: readonly EmulatorCredentials[];
  /** In the given order. Reading it creates the accounts that were not called yet. */
  readonly accounts: readonly Emulator[];
}

/**
 * Fails if there is no account, or if two have the same company ID or login session. Each account is made on its first
 * call, so that many accounts start at once and take memory only for those in use.
 */
export function createEmulatedAccounts(options: readonly EmulatorOptions[]): Result<EmulatedAccounts> {
  const credentials = options.map(credentialsFor);
  const accounts = options.map((each) => once(() => createEmulator(each)));
  const byCompany = new Map(credentials.map(({ companyId }, index) => [companyId, accounts[index]]));
  const bySession = new Map(
    credentials.map(({ loginSessionId }, index) => [loginSessionId, accounts[index]]),
  );
  const [first] = accounts;
  if (first === undefined) return failed(problem('seed-invalid', 'there is no account to serve'));
  if (byCompany.size < accounts.length) return failed(twice('company ID', 'companyId', credentials));
  if (bySession.size < accounts.length) return failed(twice('login session', 'loginSessionId', credentials));

  const anyAccount = first;
  /** A caller without the credentials of an account here gets the refusal of the first account. */
  function accountOf({ headers }: RequestMessage): Emulator {
    const claim = readClaim(headers['authorization']);
    const claimed =
      claim.kind === 'key'
        ? byCompany.get(claim.companyId)
        : claim.kind === 'session'
          ? bySession.get(claim.loginSessionId)
          : undefined;
    return (claimed ?? anyAccount)();
  }

  return ok({
    exchange: (request, exchangeOptions) => accountOf(request).exchange(request, exchangeOptions),
    respond: (request, exchangeOptions) => accountOf(request).respond(request, exchangeOptions),
    credentials,
    get accounts() {
      return accounts.map((each) => each());
    },
  });
}

function twice(
  what: string,
  member: 'companyId' | 'loginSessionId',
  credentials: readonly EmulatorCredentials[],
) {
  const all = credentials.map((each) => each[member]);
  const repeated = all.find((each, index) => all.indexOf(each) < index);
  return problem('seed-invalid', `two accounts have the ${what} ${repeated}`, {
    hint: `give each account a unique ${what}`,
  });
}
