import { compileCondition, type SourceFault } from '../../core/expression/compile.ts';
import type { Condition } from '../../core/model/expression.ts';
import { failed, ok, type Place, problem, type Result } from '../../core/problem/problem.ts';

/** The condition in a flag. Problems show the position in it. */
export function conditionFlag(source: string, flag: string): Result<Condition> {
  const compiled = compileCondition(source, 'host');
  if (compiled.ok) return ok(compiled.value);
  return failed(
    ...compiled.faults.map((fault) =>
      problem('usage', fault.message, {
        place: placeOf(fault, source, flag),
        ...(fault.hint === undefined ? {} : { hint: fault.hint }),
      }),
    ),
  );
}

function placeOf({ start, end }: SourceFault, source: string, flag: string): Place {
  const before = source.slice(0, start).split('\n');
  const text = source.split('\n')[before.length - 1] ?? '';
  const column = before.at(-1)?.length ?? 0;
  return {
    file: flag,
    line: before.length,
    col: column + 1,
    width: Math.max(1, Math.min(end - start, text.length - column)),
    text,
  };
}
