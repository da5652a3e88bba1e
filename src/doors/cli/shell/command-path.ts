import type { Command } from 'commander';

/** The words of a command after the program name, such as `runs show`. */
export function commandPath(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null
    ? command.name()
    : `${commandPath(parent)} ${command.name()}`;
}
