import { type Argument, type Command, InvalidArgumentError, type Option } from 'commander';
import { withCommandsBelow } from './command-path.ts';
import { collect } from './settings.ts';

type Parse = (text: string, earlier: unknown) => unknown;

/** Placeholders of flags and arguments that take a path. */
const paths = /^(?:file|path|paths|folder|plan)$/;

/** Every host contains an empty text, and the last word of a command line that is completed may be empty. */
const mayBeEmpty: ReadonlySet<string> = new Set(['text', 'words']);

/**
 * Refuses empty values of all flags and arguments, which come from variables that are not set, and `-` for a path. Without
 * this, a command would look for a file without a name, or write one with the name `-`.
 */
export function refuseEmptyValues(program: Command): void {
  for (const command of withCommandsBelow(program)) {
    for (const option of command.options) {
      if (option.required || option.optional) refuse(option, placeholderOf(option), option.variadic);
    }
    for (const each of command.registeredArguments) {
      if (!mayBeEmpty.has(each.name())) refuse(each, each.name(), each.variadic);
    }
  }
}

function refuse(target: Option | Argument, placeholder: string, variadic: boolean): void {
  const parse: Parse = (target.parseArg as Parse | undefined) ?? (variadic ? collectAll : (text) => text);
  const checked: Parse = (text, earlier) => {
    if (text === '') throw new InvalidArgumentError('It must not be empty.');
    if (text === '-' && paths.test(placeholder)) {
      throw new InvalidArgumentError(
        'It must be a path: Rampart uses no standard input or output here. For a file with this name, write ./-.',
      );
    }
    return parse(text, earlier);
  };
  target.parseArg = checked as NonNullable<Option['parseArg']>;
}

const collectAll: Parse = (text, earlier) => collect(text, earlier as readonly string[] | undefined);

/** `file` for `--out <file>`. */
function placeholderOf({ flags }: Option): string {
  return /[<[]([^>\].]+)/.exec(flags)?.[1] ?? '';
}
