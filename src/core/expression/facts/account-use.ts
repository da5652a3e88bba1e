import type { AccountUse } from '../../model/expression.ts';
import type { Expr } from '../syntax/syntax-tree.ts';
import { everyPart, keyOfEntry } from './entry-keys.ts';
import { labelPath } from './label-path.ts';

/** What a checked expression reads of the account, from its paths and its parts; undefined if it reads nothing. */
export function accountUse(reads: ReadonlySet<string>, exprs: readonly Expr[]): AccountUse | undefined {
  const path = [...reads].find((each) => each.startsWith('account.'));
  if (path === undefined) return undefined;
  const keys = exprs.flatMap(everyPart).flatMap((each) => keyOfEntry(each, 'account.labels') ?? []);
  const labels = [...new Set(keys)];
  const [first] = labels;
  return { fact: path === 'account.labels' && first !== undefined ? labelPath(first) : path, labels };
}
