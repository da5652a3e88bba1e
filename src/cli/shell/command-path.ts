import type { Command, Option } from 'commander';

/** The words of a command after the program name, such as `runs show`. */
export function commandPath(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null
    ? command.name()
    : `${commandPath(parent)} ${command.name()}`;
}

/** A command and all commands below it. */
export function withCommandsBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withCommandsBelow)];
}

/** How to call a command, such as `rampart runs show`. */
export function commandLineOf(command: Command): string {
  return command.parent === null ? command.name() : `${commandLineOf(command.parent)} ${command.name()}`;
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
