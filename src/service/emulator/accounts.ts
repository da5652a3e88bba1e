import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { Exchange, RequestMessage } from '../contract/message.ts';
import { readClaim } from './credentials.ts';
import { createEmulator, type Emulator, type EmulatorOptions, type Respond } from './emulator.ts';

/** Several accounts of one service at one address, each with its own fleet, key, session, limits and faults. */
export interface EmulatedAccounts {
  readonly exchange: Exchange;
  readonly respond: Respond;
  /** In the given order. */
  readonly accounts: readonly Emulator[];
}

/** Fails if there is no account, or if two have the same company id or login session. */
export function createEmulatedAccounts(options: readonly EmulatorOptions[]): Result<EmulatedAccounts> {
  const accounts = options.map(createEmulator);
  const byCompany = new Map(accounts.map((each) => [each.credentials.companyId, each]));
  const bySession = new Map(accounts.map((each) => [each.credentials.loginSessionId, each]));
  const [first] = accounts;
  if (first === undefined) return failed(problem('seed-invalid', 'there is no account to serve'));
  if (byCompany.size < accounts.length) return failed(twice('company id', 'companyId', accounts));
  if (bySession.size < accounts.length) return failed(twice('login session', 'loginSessionId', accounts));

  /** A caller that names no account here gets the refusal of the first account. */
  function accountOf({ headers }: RequestMessage): Emulator {
    const claim = readClaim(headers['authorization']);
    switch (claim.kind) {
      case 'key':
        return byCompany.get(claim.companyId) ?? (first as Emulator);
      case 'session':
        return bySession.get(claim.loginSessionId) ?? (first as Emulator);
      case 'absent':
      case 'unreadable':
        return first as Emulator;
    }
  }

  return ok({
    exchange: (request, exchangeOptions) => accountOf(request).exchange(request, exchangeOptions),
    respond: (request, exchangeOptions) => accountOf(request).respond(request, exchangeOptions),
    accounts,
  });
}

function twice(what: string, member: 'companyId' | 'loginSessionId', accounts: readonly Emulator[]) {
  const all = accounts.map(({ credentials }) => credentials[member]);
  const repeated = all.find((each, index) => all.indexOf(each) < index);
  return problem('seed-invalid', `two accounts have the ${what} ${repeated}`, {
    hint: `give each account a unique ${what}`,
  });
}
