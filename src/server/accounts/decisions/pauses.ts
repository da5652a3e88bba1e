import type { LabeledAccount } from '../../../api/access/grants.ts';
import { compileSelector } from '../../../core/expression/compile-selector.ts';
import { memo } from '../../../core/lib/memo.ts';

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
  return pausesAt(pauses, account.configuredLabels, now)(account);
}

/**
 * The pause of each account at a time; undefined if there is none. A pause without an end takes precedence. An
 * expression that can't be evaluated applies, because a pause must not end by itself.
 */
export function pausesAt<P extends Pause>(
  pauses: readonly P[],
  configuredLabels: ReadonlySet<string>,
  now: number,
): (account: Pick<LabeledAccount, 'name' | 'labels'>) => P | undefined {
  const ranked = pauses
    .filter(({ until }) => until === null || until.getTime() > now)
    .toSorted((a, b) => endOf(b) - endOf(a));
  const selectorOf = memo((where: string) => compileSelector(where, new Set([...configuredLabels, 'name'])));
  const concerns = (scope: string, { name, labels }: Pick<LabeledAccount, 'name' | 'labels'>) => {
    if (scope === 'all') return true;
    if (scope.startsWith('account:')) return scope === `account:${name}`;
    const selector = selectorOf(scope.replace(/^where:/, ''));
    const holds = selector.ok ? selector.value({ ...labels, name }) : undefined;
    return holds?.ok !== true || holds.value;
  };
  return (account) => ranked.find(({ scope }) => concerns(scope, account));
}

function endOf({ until }: Pause): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}
