import type { Visible } from '../../../api/access/grants.ts';
import { compileSelector, selectorProblems } from '../../../core/expression/compile-selector.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';

/**
 * The time that one expression may take over all accounts, in milliseconds: the server answers no other request
 * meanwhile.
 */
const mostMs = 500;

/**
 * The accounts that a CEL expression over labels and `name` selects among the visible ones. The expression is not evaluated
 * for others, because a fault would reveal their names and labels.
 */
export function selectedNames(
  { accounts, labels }: Pick<ServerSettings, 'accounts' | 'labels'>,
  where: string,
  visible: Visible,
): Result<readonly string[]> {
  const selector = compileSelector(where, labels);
  if (!selector.ok) return failed(...selectorProblems(selector.faults, labels, 'where'));
  const names: string[] = [];
  const end = performance.now() + mostMs;
  const seen = visible === 'all' ? null : new Set(visible);
  for (const account of accounts) {
    if (seen !== null && !seen.has(account.name)) continue;
    if (performance.now() > end) return failed(tooSlow);
    const holds = selector.value(account);
    if (!holds.ok) return failed(problem('invalid-expression', `where: ${holds.fault.message}`));
    if (holds.value) names.push(account.name);
  }
  return ok(names);
}

const tooSlow = problem('invalid-expression', 'where: the expression takes too long for this many accounts', {
  hint: 'use a simpler expression, with fewer or shorter lists',
});
