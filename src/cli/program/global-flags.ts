import { Option } from 'commander';
import { collect, countOption, durationOption, formatNames } from '../shell/settings.ts';
import type { CliCommand } from './cli-command.ts';

/** The flags that every command takes. */
export function addGlobalFlags(program: CliCommand): void {
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
    .option(
      '--account <name>',
      'Run the command for this account of rampart.config.yaml. Repeatable.',
      collect,
    )
    .option(
      '--parallel <count>',
      'With several accounts, run the command for this many at the same time (default: 4).',
      countOption(1, 64),
    )
    .option(
      '--changed-since <revision>',
      'Use only the selected accounts that are affected by files changed since this Git revision.',
    )
    .option('--state-dir <folder>', 'Store runs and locks in this folder (default: .rampart).')
    .option('--max-wait <time>', 'Wait at most this long for a rate limit (default: 5m).', durationOption)
    .option(
      '--request-timeout <time>',
      'Abort a request after this time (default: the value of --max-wait, at least 1m, plus 30s per MiB received).',
      durationOption,
    )
    .option('--log-file <file>', 'Append a log of the command to this file, one JSON object per line.')
    .option(
      '--emulator',
      'Use an embedded service with a sample fleet, or with the fleet in a file: --emulator=SEED.',
    )
    .addOption(new Option('--emulator-seed <file>').hideHelp())
    .option('--emulator-state <file>', 'Store the embedded fleet in this file between commands.')
    .option(
      '--emulator-set <setting>',
      'Change the behavior of the embedded service: key=value or @FILE. Repeatable. See docs/guides/emulator.md.',
      collect,
    );
}

/** `rampart emulator` has a flag of this name for the number of its accounts. */
export const accountsFlag = new Option(
  '--accounts <expression>',
  'Run the command for the accounts that this CEL expression over labels selects.',
);
