import type { Command } from 'commander';

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
