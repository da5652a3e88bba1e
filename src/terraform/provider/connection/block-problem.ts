import type { Problem, Result } from '../../../core/problem/problem.ts';
import type { Path } from '../../protocol/value/path.ts';

/** A problem of the settings of a provider block. */
export interface BlockProblem extends Problem {
  /** The argument to change; absent if the environment has the setting. */
  readonly path?: Path;
}

/** A result whose problems point at arguments of the provider block. */
export type ResultOfBlock<T> = Result<T> & { readonly problems: readonly BlockProblem[] };

/** The result of a setting that this argument has; null: the environment has it. */
export function inArgument<T>(path: Path | null, result: Result<T>): ResultOfBlock<T> {
  if (path === null) return result;
  const problems = result.problems.map((each): BlockProblem => ({ ...each, path }));
  return { ...result, problems };
}
