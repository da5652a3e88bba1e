import { quoted } from '../../core/lib/words.ts';
import { changeNouns } from '../../core/plan/guards/guard.ts';
import type { AckKind } from '../../core/plan/types/plan.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { RequiredNumber } from './requirements.ts';

/** The names of the numbers: those of `--ack`, and the plurals that people write in comments. */
const kinds: ReadonlyMap<string, AckKind> = new Map([
  ['delete', 'delete'],
  ['deletions', 'delete'],
  ['rename', 'rename'],
  ['renames', 'rename'],
  ['move', 'move'],
  ['moves', 'move'],
  ['antivirus', 'antivirus'],
  ['installs', 'antivirus'],
]);

/** Numbers under the names of `--ack`. One number given twice under two names must be the same. */
export function readNumbers(
  given: Readonly<Record<string, number>>,
): Result<Readonly<Record<string, number>>> {
  const numbers = new Map<AckKind, number>();
  for (const [name, value] of Object.entries(given)) {
    const kind = kinds.get(name);
    if (kind === undefined) {
      return failed(
        problem('ack-mismatch', `${quoted(name)} is not a number that a plan can require`, {
          hint: 'use delete, rename, move or antivirus',
        }),
      );
    }
    if (numbers.has(kind) && numbers.get(kind) !== value) {
      return failed(
        problem('ack-mismatch', `the number of ${changeNouns[kind]} is given twice, with different values`),
      );
    }
    numbers.set(kind, value);
  }
  return ok(Object.fromEntries(numbers));
}

/** Each required number must be there and exact, and no number may be there that is not required. */
export function numberProblems(
  required: readonly RequiredNumber[],
  given: Readonly<Record<string, number>>,
): readonly Problem[] {
  const missing = required.flatMap(({ limit, value, allowed }): readonly Problem[] => {
    const number = given[limit];
    if (number === value) return [];
    const planned = `the plan has ${value} ${changeNouns[limit]}, but the limit is ${allowed}`;
    const hint = `review each of them, then approve exactly ${limit}=${value}`;
    return number === undefined
      ? [problem('limit-exceeded', planned, { hint })]
      : [problem('ack-mismatch', `${planned}; ${limit}=${number} does not match`, { hint })];
  });
  const surplus = Object.keys(given).filter((name) => !required.some(({ limit }) => limit === name));
  return [
    ...missing,
    ...surplus.map((name) =>
      problem('ack-mismatch', `the plan does not exceed the limit of ${quoted(name)}`, {
        hint: `approve again without ${name}`,
      }),
    ),
  ];
}
