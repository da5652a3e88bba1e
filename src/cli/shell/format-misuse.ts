import { listed } from '../../core/lib/words.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { CliCommand } from '../program/cli-command.ts';
import { commandLineOf } from './command-path.ts';
import { type Format, formatNames } from './settings.ts';

/** The problem if a command does not print in a format. */
export function formatMisuse(
  command: CliCommand,
  format: Format,
  ofProgram: () => readonly CliCommand[],
): Problem | undefined {
  const formats: readonly Format[] = ['text', 'json', ...command.formats];
  if (formats.includes(format)) return undefined;
  const takers = ofProgram().filter((each) => each.formats.includes(format));
  const flags = formats.map((each) => `--format ${each}`);
  const commands = takers.map(commandLineOf);
  return problem('usage', `"${commandLineOf(command)}" does not support ${formatNames[format]} output`, {
    hint: `use ${listed(flags, 'or')}; --format ${format} is for ${listed(commands, 'or')}`,
  });
}
