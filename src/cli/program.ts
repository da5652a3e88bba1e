import { Command, Help, Option } from 'commander';
import type { Redaction } from '../accounts/engine/redaction.ts';
import type { ExitCode } from '../run/apply/exit-code.ts';
import { type OutputFile, outputMisuse } from '../run/state/files/output-files.ts';
import { linkedOut } from '../run/state/origin/linked-folder.ts';
import { forSelected } from './accounts/for-selected.ts';
import type { ReviewFlags } from './planning/print-review.ts';
import { accountCommands } from './program/account-commands.ts';
import { changeCommands } from './program/change-commands.ts';
import { commandsFirst, groupForHelp, inHelpOrder } from './program/help-groups.ts';
import { inventoryCommands } from './program/inventory-commands.ts';
import { runCommands } from './program/run-commands.ts';
import { serverCommands } from './program/server-commands.ts';
import { serviceCommands } from './program/service-commands.ts';
import { setupCommands } from './program/setup-commands.ts';
import { stateCommands } from './program/state-commands.ts';
import { toolCommands } from './program/tool-commands.ts';
import { calledWord } from './shell/called-word.ts';
import { commandPath, withCommandsBelow } from './shell/command-path.ts';
import { createContext } from './shell/context.ts';
import { duringCommand } from './shell/during-command.ts';
import { type FormatsOfCommands, formatMisuse } from './shell/format-misuse.ts';
import { heardSignals } from './shell/heard-signals.ts';
import type { Io } from './shell/io.ts';
import { collect, readCount, readDuration } from './shell/option-values.ts';
import { problemRecords } from './shell/record-problems.ts';
import { refuseEmptyValues } from './shell/refuse-empty-values.ts';
import type { Commands, Register } from './shell/register.ts';
import { reviewMisuse } from './shell/review-flags.ts';
import { type Format, formatNames, type GlobalFlags, toSettings } from './shell/settings.ts';
import { telemetryFor } from './shell/telemetry-for.ts';
import { version } from './shell/version.ts';

export interface ProgramParts {
  readonly io: Io;
  readonly redaction: Redaction;
  /** As typed, for the log. */
  readonly argv: readonly string[];
  readonly onExit: (code: ExitCode) => void;
}

/** These commands read the definitions of all commands. */
const readsAll: ReadonlySet<string> = new Set(['complete', 'help']);

/** The tree of commands, or only the part that is called. `onExit` gets the exit code of a command. */
export function buildProgram({ io, redaction, argv, onExit }: ProgramParts): Command {
  const program = new Command('rampart')
    .description('Manage a fleet of remotely accessed computers as code: plan, review, apply.')
    .version(version(), '--version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, ...shortList })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addHelpText('after', afterHelp);
  addGlobalFlags(program);
  const word = calledWord(argv, [...program.options, accountsFlag]);
  if (word !== 'emulator') program.addOption(accountsFlag);
  const register: Register = (command, code, formats = []) =>
    command.action(async (...parameters: readonly unknown[]) => {
      const flags = command.optsWithGlobals<GlobalFlags & ReviewFlags & OutputFlags>();
      const signals = heardSignals(io);
      const record = writesLog(command, io) ? await problemRecords(io, redaction) : undefined;
      const context = createContext(signals.io, toSettings(flags, io), redaction, undefined, record);
      const { format } = context.settings;
      const misuse =
        formatMisuse(commandPath(command), formats, format, formatsOfCommands) ??
        reviewMisuse(format, flags) ??
        outputMisuse(context.path, outputFiles(commandPath(command), flags)) ??
        linkedOut(context.settings.stateDir, context.settings.stateDir, io.cwd);
      if (misuse !== undefined) return onExit(context.fail([misuse]));
      const telemetry = await telemetryFor(context);
      if (!telemetry.ok) return onExit(context.fail(telemetry.problems));
      const positional = parameters.slice(0, -2) as readonly (string | undefined)[];
      const reported = { command: commandPath(command), argv, telemetry: telemetry.value, signals };
      onExit(
        await duringCommand(context, reported, () =>
          forSelected(context, { command: commandPath(command), flags }, (each, own) =>
            code(each, own as never, positional),
          ),
        ),
      );
    });
  for (const add of commandsFor(word)) add(program, register);
  groupForHelp(program);
  refuseEmptyValues(program);
  for (const command of withCommandsBelow(program)) command.helpCommand(false);
  return program;
}

type OutputFlags = Readonly<Partial<Record<'out' | 'summaryOut' | 'logFile', string>>>;

/** The files that a command will write; `import` asks for --force before it replaces anything. */
function outputFiles(command: string, { out, summaryOut, logFile }: OutputFlags): readonly OutputFile[] {
  const kind = command === 'snapshot' ? 'snapshot' : 'plan';
  return [
    { flag: '--out', kind, shown: command === 'import' ? undefined : out },
    { flag: '--summary-out', kind: 'summary', shown: summaryOut },
    { flag: '--log-file', kind: 'log', shown: logFile },
  ];
}

/** Whether stderr is the log of a server, which a program reads. */
function writesLog(command: Command, { stderr }: Io): boolean {
  return (
    ['server start', 'server worker'].includes(commandPath(command)) &&
    !stderr.isTerminal &&
    !command.opts()['check']
  );
}

const commands: Commands = {
  ...setupCommands,
  ...accountCommands,
  ...changeCommands,
  ...runCommands,
  ...stateCommands,
  ...serviceCommands,
  ...toolCommands,
  ...inventoryCommands,
  ...serverCommands,
};

function formatsOfCommands(): FormatsOfCommands {
  const found = new Map<string, readonly Format[]>();
  const program = new Command('rampart');
  const register: Register = (command, _code, formats = []) => found.set(commandPath(command), formats);
  for (const add of Object.values(commands)) add(program, register);
  return found;
}

/** Every command starts faster if only the called command is defined. */
function commandsFor(word = ''): readonly Commands[string][] {
  const command = Object.hasOwn(commands, word) && !readsAll.has(word) ? commands[word] : undefined;
  if (command !== undefined) return [command];
  return inHelpOrder(Object.keys(commands)).flatMap((each) => commands[each] ?? []);
}

function addGlobalFlags(program: Command): void {
  program
    .addOption(
      new Option('--format <form>', 'Print data in this format. A command supports only some of them.')
        .choices(Object.keys(formatNames))
        .default('text', 'text'),
    )
    .option('--json', 'Short for --format json.')
    .option('--no-color', 'Disable colors (as NO_COLOR does). FORCE_COLOR enables them without a terminal.')
    .option('-q, --quiet', 'Print only errors on stderr.')
    .option('-v, --verbose', 'Log every API call on stderr.')
    .addOption(
      new Option(
        '--account <name>',
        'Run the command for this account of rampart.config.yaml. Repeatable.',
      ).argParser(collect),
    )
    .addOption(
      new Option(
        '--parallel <count>',
        'With several accounts, run the command for this many at the same time (default: 4).',
      ).argParser(readCount(1, 64)),
    )
    .option(
      '--changed-since <revision>',
      'Use only the selected accounts that are affected by files changed since this Git revision.',
    )
    .option('--state-dir <folder>', 'Store runs and locks in this folder (default: .rampart).')
    .addOption(
      new Option('--max-wait <time>', 'Wait at most this long for a rate limit (default: 5m).').argParser(
        readDuration,
      ),
    )
    .addOption(
      new Option(
        '--request-timeout <time>',
        'Abort a request after this time (default: the value of --max-wait, at least 1m, plus 30s per MiB received).',
      ).argParser(readDuration),
    )
    .option('--log-file <file>', 'Append a log of the command to this file, one JSON object per line.')
    .option(
      '--emulator',
      'Use an embedded service with a sample fleet, or with the fleet in a file: --emulator=SEED.',
    )
    .addOption(new Option('--emulator-seed <file>').hideHelp())
    .option('--emulator-state <file>', 'Store the embedded fleet in this file between commands.')
    .addOption(
      new Option(
        '--emulator-set <setting>',
        'Change the behavior of the embedded service: key=value or @FILE. Repeatable. See docs/guides/emulator.md.',
      ).argParser(collect),
    );
}

/** `rampart emulator` has a flag of this name for the number of its accounts. */
const accountsFlag = new Option(
  '--accounts <expression>',
  'Run the command for the accounts that this CEL expression over labels selects.',
);

/** The list of all commands is short: their arguments and details are in the help of each command. */
const shortList: Partial<Help> = {
  subcommandTerm: (command) => (isOfProgram(command) ? command.name() : new Help().subcommandTerm(command)),
  subcommandDescription(command) {
    const description = new Help().subcommandDescription(command);
    return isOfProgram(command) ? description.replace(/\. .*/s, '.') : description;
  },
  formatHelp(command, helper) {
    const help = Help.prototype.formatHelp.call(helper, command, helper);
    return command.parent === null ? commandsFirst(help) : help;
  },
};

function isOfProgram({ parent }: Command): boolean {
  return parent !== null && parent.parent === null;
}

/** A flag of a command hides a global flag of the same name. */
function visibleGlobalOptions(command: Command): Option[] {
  const own = new Set(command.options.map(({ long }) => long));
  const help = new Help();
  help.showGlobalOptions = true;
  return help.visibleGlobalOptions(command).filter(({ long }) => !own.has(long));
}

const afterHelp = `
Set the credentials in the environment: RAMPART_BASE_URL, RAMPART_COMPANY_ID and RAMPART_PSK (or RAMPART_PSK_FILE).
No flag takes a secret. RAMPART_READ_ONLY=1 blocks every write.

Exit codes: 0 success, 1 error, 2 changes (--detailed-exitcode), 3 invalid input, 4 authentication, 5 incomplete,
6 refused, 7 stale plan, 8 differences or a lost record after apply, 130 interrupted.

Try it without an account:
  $ rampart hosts --emulator
  $ rampart plan -f fleet.yaml --emulator=seed.yaml --emulator-state fleet.state`;
