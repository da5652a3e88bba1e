import { compileSelector } from '../../core/expression/compile-selector.ts';

/** A pause of changes. Its scope is `account:contoso`, `where:region == "eu"` or `all`. */
export interface Pause {
  readonly scope: string;
  readonly until: Date | null;
}

interface PausedAccount {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Every label that any account has. */
  readonly configuredLabels: ReadonlySet<string>;
}

/**
 * The pause that holds for an account at a time; undefined if there is none. A pause without an end precedes others. An
 * expression that can't be evaluated holds, because a pause must not end by itself.
 */
export function pauseOf<P extends Pause>(
  pauses: readonly P[],
  account: PausedAccount,
  now: number,
): P | undefined {
  const holding = pauses.filter(
    (pause) => (pause.until === null || pause.until.getTime() > now) && concerns(pause.scope, account),
  );
  return holding.toSorted((a, b) => endOf(b) - endOf(a))[0];
}

function endOf({ until }: Pause): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}

function concerns(scope: string, { name, labels, configuredLabels }: PausedAccount): boolean {
  if (scope === 'all') return true;
  if (scope.startsWith('account:')) return scope === `account:${name}`;
  const selector = compileSelector(scope.replace(/^where:/, ''), new Set([...configuredLabels, 'name']));
  const holds = selector.ok ? selector.value({ ...labels, name }) : undefined;
  return holds?.ok !== true || holds.value;
}
