import { compileCondition } from '../../../core/expression/compile.ts';
import type { Condition } from '../../../core/model/expression.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';

/** A CEL expression of a data source. */
export function conditionArgument(source: string): Result<Condition> {
  const compiled = compileCondition(source, 'host');
  if (compiled.ok) return ok(compiled.value);
  return failed(
    ...compiled.faults.map(({ message, start, hint }) =>
      problem(
        'invalid-expression',
        `${message}, at character ${start + 1}`,
        hint === undefined ? {} : { hint },
      ),
    ),
  );
}
