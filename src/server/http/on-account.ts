import type { ServerAction } from '../../api/access/action.ts';
import { ok } from '../../core/problem/problem.ts';
import type { Access } from './route.ts';

/** The right to do something to the account that the path names. */
export function onAccount(action: ServerAction): Access {
  return {
    action,
    on: 'account',
    accountOf: async ({ name }, { settings }) =>
      ok(settings.accounts.some((each) => each.name === name) ? (name ?? null) : null),
  };
}

export const readAccount = onAccount('read');
