import { compileSelector } from '../../core/expression/compile-selector.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { Grant } from './grants.ts';

/** What is wrong with the selectors of grants. `subject` begins each message, such as `the token`. */
export function checkGrants(
  grants: readonly Grant[],
  labels: ReadonlySet<string>,
  subject: string,
): readonly Problem[] {
  return grants.flatMap(({ role, where }) => {
    if (where === undefined) return [];
    const selector = compileSelector(where, new Set([...labels, 'name']));
    if (selector.ok) return [];
    return selector.faults.map(({ message, hint, start }) =>
      problem('invalid-expression', `${subject}, role ${role}: ${message} (column ${start + 1})`, {
        hint: hint ?? `the labels are ${[...labels].sort().join(', ') || 'none'}, and name`,
      }),
    );
  });
}
