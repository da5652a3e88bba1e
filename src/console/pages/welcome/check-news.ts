import type { AccountRow } from '../../../api/accounts.ts';

/** How far the first account is. */
export type CheckNews =
  | { readonly state: 'none' }
  | { readonly state: 'unchecked'; readonly account: string }
  | { readonly state: 'failing'; readonly account: string; readonly message: string; readonly hint: string }
  | { readonly state: 'checked'; readonly account: string; readonly hosts: number; readonly drifted: number };

/** A check that succeeded counts most, then a failure. */
export function checkNews(accounts: readonly AccountRow[]): CheckNews {
  const checked = accounts.find(({ hosts, last_check_at: at }) => hosts !== null && at !== null);
  if (checked !== undefined)
    return {
      state: 'checked',
      account: checked.name,
      hosts: checked.hosts ?? 0,
      drifted: checked.drifted ?? 0,
    };
  const failing = accounts.find(({ failure }) => failure !== null);
  if (failing?.failure)
    return {
      state: 'failing',
      account: failing.name,
      message: failing.failure.message,
      hint: failing.failure.hint ?? '',
    };
  const first = accounts[0];
  return first === undefined ? { state: 'none' } : { state: 'unchecked', account: first.name };
}
