import type { Command, Option } from 'commander';

/** A command and all commands below it. */
export function withCommandsBelow<C extends Tree<C>>(command: C): readonly C[] {
  return [command, ...command.commands.flatMap((each) => withCommandsBelow(each))];
}

interface Tree<C> {
  readonly commands: readonly C[];
}

/** A command, and from its parent to the program. */
export function withCommandsAbove(command: Command): readonly Command[] {
  return [command, ...(command.parent === null ? [] : withCommandsAbove(command.parent))];
}

/** How to call a command, such as `rampart runs show`. */
export function commandLineOf(command: Command): string {
  const names = withCommandsAbove(command).map((each) => each.name());
  return names.toReversed().join(' ');
}

/** The words of a command after the program name, such as `runs show`. */
export function commandPath(command: Command): string {
  return commandLineOf(command).replace('rampart ', '');
}

/** The first word that is neither a global flag nor the value of one: the command. */
export function calledWord(argv: readonly string[], options: readonly Option[]): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] as string;
    if (!word.startsWith('-')) return word;
    const takesValue = options.some(
      (option) => (option.required || option.optional) && (option.long === word || option.short === word),
    );
    if (takesValue) at += 1;
  }
  return undefined;
}
