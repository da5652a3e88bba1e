import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** Values of a fixed set, separated by commas, as a query has them: `waiting,approved`. */
export function listedValues<Value extends string>(
  given: string | undefined,
  known: readonly Value[],
  name: string,
): Result<readonly Value[] | undefined> {
  if (given === undefined) return ok(undefined);
  const values = given.split(',').map((each) => each.trim());
  const unknown = values.find((each) => !(known as readonly string[]).includes(each));
  return unknown === undefined
    ? ok(values as Value[])
    : failed(
        problem('invalid-value', `"${unknown}" is not a ${name}`, {
          hint: `the values are ${known.join(', ')}`,
        }),
      );
}
