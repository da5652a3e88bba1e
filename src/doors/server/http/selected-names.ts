import type { ServerSettings } from '../../../control/settings/server-settings.ts';
import { compileSelector } from '../../../core/expression/compile-selector.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';

/** The accounts that a CEL expression over labels and `name` selects. */
export function selectedNames(
  { accounts, labels }: Pick<ServerSettings, 'accounts' | 'labels'>,
  where: string,
): Result<readonly string[]> {
  const selector = compileSelector(where, new Set([...labels, 'name']));
  if (!selector.ok) {
    return failed(
      ...selector.faults.map(({ message, hint, start }) =>
        problem('invalid-expression', `where: ${message} (column ${start + 1})`, {
          hint: hint ?? `the labels are ${[...labels].sort().join(', ') || 'none'}, and name`,
        }),
      ),
    );
  }
  const names: string[] = [];
  for (const account of accounts) {
    const holds = selector.value({ ...account.labels, name: account.name });
    if (!holds.ok) return failed(problem('invalid-expression', `where: ${holds.fault.message}`));
    if (holds.value) names.push(account.name);
  }
  return ok(names);
}
