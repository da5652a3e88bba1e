import type { LabeledAccount } from '../../../api/access/grants.ts';
import { selects } from '../../../core/expression/compile-selector.ts';

/** A pause of changes. Its scope is `account:contoso`, `where:region == "eu"` or `all`. */
export interface Pause {
  readonly scope: string;
  readonly until: Date | null;
}

/** The pause that holds for an account at a time, as `pausesAt` finds it. */
export function pauseOf<P extends Pause>(
  pauses: readonly P[],
  account: LabeledAccount,
  now: number,
): P | undefined {
  return pausesAt(pauses, now)(account);
}

/**
 * The pause of each account at a time; undefined if there is none. A pause without an end takes precedence. An
 * expression that can't be evaluated applies, because a pause must not end by itself.
 */
export function pausesAt<P extends Pause>(
  pauses: readonly P[],
  now: number,
): (account: LabeledAccount) => P | undefined {
  const ranked = pauses
    .filter(({ until }) => until === null || until.getTime() > now)
    .toSorted((a, b) => endOf(b) - endOf(a));
  return (account) => ranked.find(({ scope }) => isInScope(scope, account));
}

/** Whether a pause with this scope is for an account. */
export function isInScope(scope: string, account: LabeledAccount): boolean {
  if (scope === 'all') return true;
  if (scope.startsWith('account:')) return scope === `account:${account.name}`;
  return selects(scope.replace(/^where:/, ''), account) !== false;
}

function endOf({ until }: Pause): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}
