import { type Problem, problem } from '../../core/problem/problem.ts';

/**
 * The first of these flags that the call has; they have no effect on a server. Without this error, the answer would seem
 * to follow the flag: `--state` would seem to filter, and `--out` to save a plan and change nothing.
 */
export function localFlag<Flags>(
  flags: Flags,
  local: readonly (keyof Flags & string)[],
): Problem | undefined {
  const given = local.find((name) => flags[name] !== undefined);
  if (given === undefined) return undefined;
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return problem('usage', `--${flag} has no effect on a server`, {
    hint: 'leave it out, or leave out --server',
  });
}
