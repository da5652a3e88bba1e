import type { Command, Option } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';
import { commandLineOf } from '../../src/cli/shell/command-path.ts';
import type { Io } from '../../src/cli/shell/io.ts';
import { createRedaction } from '../../src/core/lib/redaction.ts';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { table } from './table.ts';

/** `docs/reference/commands.md`, from the program's own tree of commands. */
export function commandsPage(): string {
  const printed: string[] = [];
  const program = buildProgram({
    io: ioInto(printed),
    redaction: createRedaction(),
    argv: [],
    onExit: () => {},
  });
  const examplesOf = (command: Command): readonly string[] => {
    printed.length = 0;
    command.outputHelp();
    const [, examples = ''] = printed.join('').split('\nExamples:\n');
    return [...examples.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line);
  };
  const commands = visible(program);
  const leaves = withSubcommands(commands);
  // People look up these two most often.
  const first = leaves.filter((each) => ['rampart plan', 'rampart apply'].includes(commandLineOf(each)));
  const explained: Explained = new Map(
    first.toReversed().flatMap((each) => flagsOf(each).map((flag) => [keyOf(flag), each] as const)),
  );
  const groups = Map.groupBy(commands, (each) => each.helpGroup());
  return `${[
    '# Commands',
    '<!-- Written by `npm run docs` from the program itself: change the help texts in src/cli, not this page. -->',
    '`rampart help <command>` prints the same text, and `rampart --version` prints the version. Data goes to stdout, and everything else to stderr. [Exit codes](exit-codes.md) explains each exit code.',
    'The files that `--out` and `--summary-out` name are written as a whole, or stay as they were. Plans, snapshots and summaries, which a command can make again, replace an earlier file. `import` and `init`, whose files people edit, replace one only with `--force`. A device or a pipe is refused.',
    'A flag or an argument with an empty value is refused, and so is `-` for a file or folder: `./-` is a file with this name.',
    '## All commands',
    ...[...groups].flatMap(([title, commands]) => [
      `### ${title.replace(/:$/, '')}`,
      listOf(withSubcommands(commands)),
    ]),
    '## Values',
    'A time is a number with a unit: `500ms`, `30s`, `5m`, `24h` or `2d`. A number without a unit is in seconds.',
    '## Global flags',
    flagTable(flagsOf(program)),
    ...leaves.flatMap((each) => section(each, examplesOf(each), explained)),
  ].join('\n\n')}\n`;
}

function listOf(commands: readonly Command[]): string {
  return commands
    .map((each) => `[\`${commandLineOf(each)}\`](#${commandLineOf(each).replaceAll(' ', '-')})`)
    .join(' · ');
}

/** The flags that a section has explained, with its command. */
type Explained = Map<string, Command>;

function section(command: Command, examples: readonly string[], explained: Explained): readonly string[] {
  const positional = command.registeredArguments.map((each) => [
    `\`${each.required ? `<${each.name()}>` : `[${each.name()}]`}\``,
    each.description,
  ]);
  return [
    `## \`${commandLineOf(command)}\``,
    command.description(),
    ...usageOf(command),
    ...(positional.length === 0 ? [] : [table(['argument', 'meaning'], positional)]),
    ...flagParts(command, explained),
    ...(examples.length === 0 ? [] : [['```sh', ...examples, '```'].join('\n')]),
  ];
}

/** Of a command with arguments: without any, the title is the usage. */
function usageOf(command: Command): readonly string[] {
  if (command.registeredArguments.length === 0) return [];
  const words = command.registeredArguments.map((each) =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  const flags = flagsOf(command).length > 0 ? ['[flags]'] : [];
  return [`Usage: \`${[commandLineOf(command), ...words, ...flags].join(' ')}\``];
}

const keyOf = ({ flags, description }: Option) => `${flags} ${description}`;

function flagParts(command: Command, explained: Explained): readonly string[] {
  const known = (each: Option) => {
    const by = explained.get(keyOf(each));
    return by === command ? undefined : by;
  };
  const flags = flagsOf(command);
  const fresh = flags.filter((each) => known(each) === undefined);
  const others = Map.groupBy(
    flags.filter((each) => known(each) !== undefined),
    known,
  );
  const parts = [
    ...(fresh.length === 0 ? [] : [flagTable(fresh)]),
    ...[...others].flatMap(([from, repeated]) =>
      from === undefined
        ? []
        : [
            `As for [\`${commandLineOf(from)}\`](#${commandLineOf(from).replaceAll(' ', '-')}): ${repeated.map(({ long }) => `\`${long}\``).join(', ')}.`,
          ],
    ),
  ];
  for (const each of fresh) explained.set(keyOf(each), command);
  return parts;
}

function flagTable(options: readonly Option[]): string {
  return table(
    ['flag', 'meaning'],
    options.map(({ flags, description, argChoices }) => [
      `\`${flags}\``,
      argChoices === undefined
        ? description
        : `${description} Values: ${argChoices.map((each) => `\`${each}\``).join(', ')}.`,
    ]),
  );
}

function flagsOf(command: Command) {
  return command.options.filter((each) => !each.hidden && each.long !== '--version');
}

function withSubcommands(commands: readonly Command[]): readonly Command[] {
  return commands.flatMap((each) => [each, ...withSubcommands(visible(each))]);
}

function visible(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function ioInto(printed: string[]): Io {
  const stream = { write: (text: string) => void printed.push(text), isTerminal: false, columns: 1000 };
  return {
    stdout: stream,
    stderr: stream,
    env: {},
    cwd: '.',
    clock: createVirtualClock(0),
    prompt: async () => null,
    onInterrupt: () => () => {},
    onCrash: () => () => {},
    exitNow: () => {},
  };
}
