import type { Command, Option } from 'commander';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { commandLineOf, withCommandsAbove } from './command-path.ts';
import { noServerFlag } from './wrong-words.ts';

/**
 * The flags of a command and of the program. Commander gives a flag of both `rampart hosts` and `rampart hosts snapshot` to
 * the first of them, wherever the user wrote it, and so it does with flags that the second one does not know.
 */
export function flagsOf(command: Command): Result<object> {
  const flags: Record<string, unknown> = {};
  const [, ...above] = withCommandsAbove(command);
  Object.assign(flags, above.at(-1)?.opts(), command.opts());
  for (const parent of above.slice(0, -1)) {
    for (const option of parent.options) {
      const name = option.attributeName();
      if (parent.getOptionValueSource(name) !== 'cli') continue;
      if (!command.options.some(({ long }) => long === option.long)) return failed(unknown(command, option));
      flags[name] = parent.getOptionValue(name);
    }
  }
  return ok(flags);
}

function unknown(command: Command, { long }: Option): Problem {
  if (long === '--server') return noServerFlag(command);
  return problem('usage', `unknown option '${long}'`, { hint: `see ${commandLineOf(command)} --help` });
}
