import { compileSelector, selectorProblems } from '../../core/expression/compile-selector.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { Grant } from './grants.ts';

/** What is wrong with the selectors of grants. `subject` begins each message, such as `the token`. */
export function checkGrants(
  grants: readonly Grant[],
  labels: ReadonlySet<string>,
  subject: string,
): readonly Problem[] {
  return grants.flatMap(({ role, where }) => {
    if (where === undefined) return [];
    const selector = compileSelector(where, labels);
    return selector.ok ? [] : selectorProblems(selector.faults, labels, `${subject}, role ${role}`);
  });
}
