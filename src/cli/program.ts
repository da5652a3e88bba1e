import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { addChangeCommands } from './change-commands.ts';
import { createContext } from './context.ts';
import type { ExitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { addLookCommands } from './look-commands.ts';
import { markdownMisuse } from './markdown-flags.ts';
import { readDuration } from './option-values.ts';
import type { ReviewFlags } from './print-review.ts';
import type { Redaction } from './redaction.ts';
import type { Register } from './register.ts';
import { addRunCommands } from './run-commands.ts';
import { type GlobalFlags, toSettings } from './settings.ts';

/** The tree of commands; what a command ends with goes to `onExit`. */
export function buildProgram(io: Io, redaction: Redaction, onExit: (code: ExitCode) => void): Command {
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
      const context = createContext(io, toSettings(flags, io), redaction);
      const misuse = markdownMisuse(command, context.settings.format, flags);
      if (misuse !== undefined) return onExit(context.fail([misuse]));
      const positional = parameters.slice(0, -2) as readonly (string | undefined)[];
      onExit(await code(context, flags as never, positional));
    });
  addChangeCommands(program, register);
  addRunCommands(program, register);
  addLookCommands(program, register);
  return program;
}

function addGlobalFlags(program: Command): void {
  program
    .addOption(
      new Option('--format <form>', 'how data is printed; markdown: plan and show only')
        .choices(['text', 'json', 'markdown'])
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
    .option(
      '--emulator',
      'use an embedded service with a sample fleet; --emulator=SEED: with the fleet of a file',
    )
    .addOption(new Option('--emulator-seed <file>').hideHelp())
    .option('--emulator-state <file>', 'keep the embedded fleet in this file between commands');
}

const afterHelp = `
Credentials come from the environment: RAMPART_BASE_URL, RAMPART_COMPANY_ID and RAMPART_PSK (or RAMPART_PSK_FILE).
No flag takes a secret. RAMPART_READ_ONLY=1 forbids every change.

Exit codes: 0 success, 1 error, 2 changes (--detailed-exitcode), 3 invalid input, 4 authentication, 5 incomplete,
6 refused, 7 stale plan, 8 differences after apply, 130 interrupted.

Try it with no account:
  $ rampart hosts --emulator
  $ rampart plan -f fleet.yaml --emulator=seed.yaml --emulator-state fleet.state`;

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
