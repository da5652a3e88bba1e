import { Command, Option } from 'commander';
import type { ReviewFlags } from './planning/print-review.ts';
import { changeCommands } from './program/change-commands.ts';
import { inventoryCommands } from './program/inventory-commands.ts';
import { lookCommands } from './program/look-commands.ts';
import { runCommands } from './program/run-commands.ts';
import { serviceCommands } from './program/service-commands.ts';
import { setupCommands } from './program/setup-commands.ts';
import { commandPath } from './shell/command-path.ts';
import { createContext } from './shell/context.ts';
import { duringCommand } from './shell/during-command.ts';
import type { ExitCode } from './shell/exit-code.ts';
import { formatMisuse } from './shell/format-misuse.ts';
import { heardSignals } from './shell/heard-signals.ts';
import type { Io } from './shell/io.ts';
import { collect, readDuration } from './shell/option-values.ts';
import type { Redaction } from './shell/redaction.ts';
import type { Commands, Register } from './shell/register.ts';
import { reviewMisuse } from './shell/review-flags.ts';
import { formats, type GlobalFlags, toSettings } from './shell/settings.ts';
import { telemetryFor } from './shell/telemetry-for.ts';
import { version } from './shell/version.ts';

export interface ProgramParts {
  readonly io: Io;
  readonly redaction: Redaction;
  /** As typed, for the log. */
  readonly argv: readonly string[];
  readonly onExit: (code: ExitCode) => void;
}

/** Completes the words of all the others. */
const readsAll = 'complete';

/** The tree of commands, or the part of it that is called; what a command ends with goes to `onExit`. */
export function buildProgram({ io, redaction, argv, onExit }: ProgramParts): Command {
  const program = new Command('rampart')
    .description('Manage a fleet of remotely accessed computers as code: plan, review, apply.')
    .version(version(), '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({ showGlobalOptions: true })
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
  const register: Register = (command, code) =>
    command.action(async (...parameters: readonly unknown[]) => {
      const flags = command.optsWithGlobals<GlobalFlags & ReviewFlags>();
      const signals = heardSignals(io);
      const context = createContext(signals.io, toSettings(flags, io), redaction);
      const { format } = context.settings;
      const misuse = formatMisuse(command, format) ?? reviewMisuse(format, flags);
      if (misuse !== undefined) return onExit(context.fail([misuse]));
      const telemetry = await telemetryFor(context);
      if (!telemetry.ok) return onExit(context.fail(telemetry.problems));
      const positional = parameters.slice(0, -2) as readonly (string | undefined)[];
      const told = { command: commandPath(command), argv, telemetry: telemetry.value, signals };
      onExit(await duringCommand(context, told, () => code(context, flags as never, positional)));
    });
  for (const add of commandsFor(argv[0])) add(program, register);
  return program;
}

const commands: Commands = {
  ...setupCommands,
  ...changeCommands,
  ...runCommands,
  ...serviceCommands,
  ...lookCommands,
  ...inventoryCommands,
};

/** A command that is called is defined alone, in a third of the time of defining all. */
function commandsFor(word = ''): readonly Commands[string][] {
  const called = Object.hasOwn(commands, word) && word !== readsAll ? commands[word] : undefined;
  return called === undefined ? Object.values(commands) : [called];
}

function addGlobalFlags(program: Command): void {
  program
    .addOption(
      new Option('--format <form>', 'how data is printed; markdown, csv and ndjson where a command has them')
        .choices([...formats])
        .default('text', 'text'),
    )
    .option('--json', 'short for --format json')
    .option('--no-color', 'no colours (also NO_COLOR; FORCE_COLOR for colours without a terminal)')
    .option('-q, --quiet', 'nothing on stderr but errors')
    .option('-v, --verbose', 'tell each call on stderr')
    .option('--profile <name>', 'a profile of rampart.config.yaml')
    .option('--state-dir <folder>', 'where runs and locks are kept (.rampart)')
    .addOption(
      new Option('--max-wait <time>', 'the longest wait for a rate limit (5m)').argParser(readDuration),
    )
    .addOption(
      new Option(
        '--request-timeout <time>',
        'the longest time for one request as a whole (the value of --max-wait, at least 1m, plus 30s per MiB received)',
      ).argParser(readDuration),
    )
    .option('--log-file <file>', 'add a log of the command to this file, a JSON object to a line')
    .option(
      '--emulator',
      'use an embedded service with a sample fleet; --emulator=SEED: with the fleet of a file',
    )
    .addOption(new Option('--emulator-seed <file>').hideHelp())
    .option('--emulator-state <file>', 'keep the embedded fleet in this file between commands')
    .addOption(
      new Option(
        '--emulator-set <setting>',
        'change how the embedded service behaves: key=value, or @FILE; repeatable (docs/guides/emulator.md)',
      ).argParser(collect),
    );
}

const afterHelp = `
Credentials come from the environment: RAMPART_BASE_URL, RAMPART_COMPANY_ID and RAMPART_PSK (or RAMPART_PSK_FILE).
No flag takes a secret. RAMPART_READ_ONLY=1 forbids every write.

Exit codes: 0 success, 1 error, 2 changes (--detailed-exitcode), 3 invalid input, 4 authentication, 5 incomplete,
6 refused, 7 stale plan, 8 differences after apply, 130 interrupted.

Try it with no account:
  $ rampart hosts --emulator
  $ rampart plan -f fleet.yaml --emulator=seed.yaml --emulator-state fleet.state`;
