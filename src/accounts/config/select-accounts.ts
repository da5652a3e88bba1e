import { compileSelector, selectorProblems } from '../../core/expression/compile-selector.ts';
import { didYouMean, firstFew, nearest, quoted } from '../../core/lib/words.ts';
import { failed, ok, type Place, problem, type Result } from '../../core/problem/problem.ts';
import type { AccountConfig } from './account-config.ts';
import { type AccountsFile, noAccounts } from './read-accounts.ts';

export interface AccountSelector {
  readonly names: readonly string[];
  /** A CEL expression over labels, and `name`. */
  readonly where?: string;
  /** The flag or the key that selects; `--accounts` if absent. */
  readonly flag?: string;
  /** The place of that key in the configuration. */
  readonly place?: Place;
}

/**
 * The accounts that have one of the names, or for which the expression holds, in the order given. An account without a
 * label reads it as "".
 */
export function selectAccounts(
  { accounts, labels, isReviewed }: Pick<AccountsFile, 'accounts' | 'labels' | 'isReviewed'>,
  { names, where, flag = '--accounts', place }: AccountSelector,
): Result<readonly AccountConfig[]> {
  if (accounts.length === 0) return failed(noAccounts(isReviewed));
  const known = new Set(accounts.map((each) => each.name));
  const unknown = names.filter((name) => !known.has(name));
  const placed = place === undefined ? {} : { place };
  if (unknown.length > 0)
    return failed(...unknown.map((name) => ({ ...unknownAccount(name, [...known]), ...placed })));
  const named = new Set(names);
  if (where === undefined) return ok(accounts.filter((each) => named.has(each.name)));
  const selector = compileSelector(where, labels);
  if (!selector.ok) return failed(...selectorProblems(selector.faults, labels, flag, place));
  const chosen: AccountConfig[] = [];
  for (const account of accounts) {
    const holds = selector.value(account);
    if (!holds.ok) {
      return failed(
        problem(
          'invalid-expression',
          `${flag} failed for the account "${account.name}": ${holds.fault.message}`,
          placed,
        ),
      );
    }
    if (holds.value || named.has(account.name)) chosen.push(account);
  }
  if (chosen.length > 0) return ok(chosen);
  return failed(
    problem('usage', `${flag} ${quoted(where)} selects no account`, {
      ...placed,
      hint: 'list the accounts with their labels: rampart accounts list',
    }),
  );
}

const shownNames = 10;

function unknownAccount(name: string, known: readonly string[]) {
  return problem('configuration', `there is no account ${quoted(name)} in the configuration`, {
    hint: didYouMean(nearest(name, known)) ?? `the accounts are ${firstFew(known, shownNames)}`,
  });
}
