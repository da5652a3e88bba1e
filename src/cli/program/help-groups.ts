import type { Command } from 'commander';

/** The commands in the order of the help. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Everyday commands:': ['init', 'import', 'validate', 'plan', 'apply', 'drift', 'runs', 'undo'],
  'Review and tests:': ['show', 'verify', 'explain', 'coverage', 'test'],
  'Hosts:': ['hosts'],
  'Several accounts:': ['accounts', 'rollout'],
  'Server:': ['server'],
  'State of runs:': ['state'],
  'Tools and help:': ['doctor', 'emulator', 'mcp', 'schema', 'completion', 'help'],
};

const order = Object.values(groups).flat();

const groupOf = new Map(
  Object.entries(groups).flatMap(([group, names]) => names.map((name) => [name, group] as const)),
);

/** Words that call commands, in the order of the help. */
export function inHelpOrder(words: readonly string[]): readonly string[] {
  return words.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
}

export function groupForHelp(program: Command): void {
  for (const command of program.commands) {
    const group = groupOf.get(command.name());
    if (group !== undefined) command.helpGroup(group);
  }
}

/** In the help of the program, the commands precede the options that all of them share. */
export function commandsFirst(help: string): string {
  const options = help.indexOf('\nOptions:\n');
  const commands = help.indexOf(`\n${Object.keys(groups)[0]}\n`);
  return options === -1 || commands === -1
    ? help
    : `${help.slice(0, options)}${help.slice(commands)}${help.slice(options, commands)}`;
}
