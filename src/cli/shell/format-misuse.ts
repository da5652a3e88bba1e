import { listed } from '../../core/lib/words.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { type Format, formatNames } from './settings.ts';

/** The formats of each command in addition to text and JSON, by the words of the command. */
export type FormatsOfCommands = ReadonlyMap<string, readonly Format[]>;

/** The problem if a command does not print in a format. */
export function formatMisuse(
  path: string,
  own: readonly Format[],
  format: Format,
  ofCommands: () => FormatsOfCommands,
): Problem | undefined {
  const formats: readonly Format[] = ['text', 'json', ...own];
  if (formats.includes(format)) return undefined;
  const takers = [...ofCommands()].filter(([, each]) => each.includes(format));
  const flags = formats.map((each) => `--format ${each}`);
  const commands = takers.map(([taker]) => `rampart ${taker}`);
  return problem('usage', `"rampart ${path}" does not support ${formatNames[format]} output`, {
    hint: `use ${listed(flags, 'or')}; --format ${format} is for ${listed(commands, 'or')}`,
  });
}
