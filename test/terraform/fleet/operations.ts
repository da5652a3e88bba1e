import fc from 'fast-check';
import type { Problem, Result } from '../../../src/core/problem/problem.ts';
import type { Coordinator } from '../../../src/terraform/fleet/coordinator.ts';
import { hostId } from '../../given/fleet.ts';

export type Names = Readonly<Record<number, string>>;

/** Host n gets the name of host n + 1, the last that of the first. */
export function rotation(count: number): Names {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [index + 1, `h${((index + 1) % count) + 1}`]),
  );
}

export function renames(coordinator: Coordinator, names: Names): readonly (() => Promise<Result<unknown>>)[] {
  return Object.entries(names).map(
    ([id, to]) =>
      () =>
        coordinator.rename(hostId(id), to),
  );
}

export function problemsOf(results: readonly Result<unknown>[]): readonly Problem[] {
  return results.flatMap((result) => (result.ok ? [] : result.problems));
}

export function shuffled(count: number): fc.Arbitrary<readonly number[]> {
  const all = [...Array(count).keys()];
  return fc.shuffledSubarray(all, { minLength: count, maxLength: count });
}
