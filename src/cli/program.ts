import { type Command, Help } from 'commander';
import type { Redaction } from '../core/lib/redaction.ts';
import type { ExitCode } from '../run/apply/exit-code.ts';
import { type OutputFile, outputMisuse } from '../run/state/files/output-files.ts';
import { linkedOut } from '../run/state/origin/linked-folder.ts';
import { forSelected } from './accounts/for-selected.ts';
import type { ReviewFlags } from './planning/print-review.ts';
import { accountCommands } from './program/account-commands.ts';
import { changeCommands } from './program/change-commands.ts';
import { CliCommand, type Commands, type RunCommand } from './program/cli-command.ts';
import { isInTopic, namesOfOtherFlags } from './program/flag-topics.ts';
import { accountsFlag, addGlobalFlags } from './program/global-flags.ts';
import { commandsFirst, groupForHelp, inHelpOrder } from './program/help-groups.ts';
import { runCommands } from './program/run-commands.ts';
import { serverCommands } from './program/server-commands.ts';
import { serviceCommands } from './program/service-commands.ts';
import { setupCommands } from './program/setup-commands.ts';
import { stateCommands } from './program/state-commands.ts';
import { toolCommands } from './program/tool-commands.ts';
import { calledWord, commandPath, withCommandsBelow } from './shell/command-path.ts';
import { createContext, heardSignals } from './shell/context.ts';
import { duringCommand } from './shell/during-command.ts';
import { flagsOf } from './shell/flags-of.ts';
import { formatMisuse } from './shell/format-misuse.ts';
import type { Io } from './shell/io.ts';
import { problemRecords } from './shell/record-problems.ts';
import { refuseEmptyValues } from './shell/refuse-empty-values.ts';
import { reviewMisuse } from './shell/review-flags.ts';
import { type GlobalFlags, toSettings } from './shell/settings.ts';
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
export function buildProgram({ io, redaction, argv, onExit }: ProgramParts): CliCommand {
  const run: RunCommand = async (command, accounts, load, words) => {
    const read = flagsOf(command);
    const flags = (read.ok ? read.value : program.opts()) as GlobalFlags & ReviewFlags & OutputFlags;
    const signals = heardSignals(io);
    const record = writesLog(command, io) ? await problemRecords(io, redaction) : undefined;
    const context = createContext(signals.io, toSettings(flags, io), redaction, undefined, record);
    const { format } = context.settings;
    const misuse =
      read.problems[0] ??
      formatMisuse(command, format, allCommands) ??
      reviewMisuse(format, flags) ??
      outputMisuse(context.path, outputFiles(commandPath(command), flags)) ??
      linkedOut(context.settings.stateDir, context.settings.stateDir, io.cwd);
    if (misuse !== undefined) return onExit(context.fail([misuse]));
    const telemetry = await telemetryFor(context);
    if (!telemetry.ok) return onExit(context.fail(telemetry.problems));
    const reported = { command: commandPath(command), argv, telemetry: telemetry.value, signals };
    onExit(
      await duringCommand(context, reported, () =>
        forSelected(context, { command: commandPath(command), accounts, flags }, async (each, own) =>
          (await load(own as never))(each, own as never, ...(words as never[])),
        ),
      ),
    );
  };
  const allCommands = () => {
    const whole = new CliCommand('rampart', run);
    for (const add of Object.values(commands)) add(whole);
    return withCommandsBelow(whole);
  };
  const program = new CliCommand('rampart', run)
    .description('Manage a fleet of remotely accessed computers as code: plan, review, apply.')
    .version(version(), '--version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .configureHelp(shortList)
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
  for (const add of commandsFor(word)) add(program);
  groupForHelp(program);
  refuseEmptyValues(program);
  for (const command of withCommandsBelow(program)) command.helpCommand(false);
  return program;
}

type OutputFlags = Readonly<Partial<Record<'out' | 'summaryOut' | 'logFile', string>>>;

/** The files that a command will write; `import` asks for --force before it replaces anything. */
function outputFiles(command: string, { out, summaryOut, logFile }: OutputFlags): readonly OutputFile[] {
  const kind = command === 'hosts snapshot' ? 'snapshot' : 'plan';
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
  ...serverCommands,
};

/** Every command starts faster if only the called command is defined. */
function commandsFor(word = ''): readonly Commands[string][] {
  const command = Object.hasOwn(commands, word) && !readsAll.has(word) ? commands[word] : undefined;
  if (command !== undefined) return [command];
  return inHelpOrder(Object.keys(commands)).flatMap((each) => commands[each] ?? []);
}

/** Of the program alone. */
const own: ReadonlySet<string | undefined> = new Set(['--version', '--help']);

/** The list of all commands is short: their arguments and details are in the help of each command. */
const shortList: Partial<Help> = {
  subcommandTerm: (command) => (isOfProgram(command) ? command.name() : new Help().subcommandTerm(command)),
  subcommandDescription(command) {
    const description = new Help().subcommandDescription(command);
    return isOfProgram(command) ? description.replace(/\. .*/s, '.') : description;
  },
  visibleOptions(command) {
    const options = new Help().visibleOptions(command);
    return command.parent === null ? options.filter(({ long }) => own.has(long)) : options;
  },
  formatHelp(command, helper) {
    // Commander also suggests visible options for misspelled ones, so those of topics are left out only here.
    const short: Help = Object.assign(Object.create(helper), {
      visibleOptions: (of: Command) => helper.visibleOptions(of).filter((each) => !isInTopic(each)),
    });
    const help = Help.prototype.formatHelp.call(short, command, short);
    return `${command.parent === null ? commandsFirst(help) : help}\n${namesOfOtherFlags(command, helper)}`;
  },
};

function isOfProgram({ parent }: Command): boolean {
  return parent !== null && parent.parent === null;
}

const afterHelp = `
Set the credentials in the environment: RAMPART_BASE_URL, RAMPART_COMPANY_ID and RAMPART_PSK (or RAMPART_PSK_FILE).
No flag takes a secret. RAMPART_READ_ONLY=1 blocks every write.

Exit codes: 0 success, 1 error, 2 changes (--detailed-exitcode), 3 invalid input, 4 authentication, 5 incomplete,
6 refused, 7 stale plan, 8 differences or a lost record after apply, 130 interrupted.

Try it without an account:
  $ rampart hosts --emulator
  $ rampart plan -f fleet.yaml --emulator=seed.yaml --emulator-state fleet.state`;
