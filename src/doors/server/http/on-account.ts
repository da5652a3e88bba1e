import { ok } from '../../../core/problem/result.ts';
import type { Access } from './route.ts';

/** An account that the path names. */
export const readAccount: Access = {
  action: 'read',
  on: 'account',
  accountOf: async ({ name }, { settings }) =>
    ok(settings.accounts.some((each) => each.name === name) ? (name ?? null) : null),
};
