import { Option } from 'commander';
import { countOption, durationOption, readCanary, readMaxFailed, readShares } from '../shell/settings.ts';
import type { CliCommand, Commands } from './cli-command.ts';
import { inTopic } from './flag-topics.ts';

/** The commands for rollouts over several accounts. */
export const rolloutCommands: Commands = { rollout: addRollout };

function addRollout(program: CliCommand): void {
  const rollout = program
    .command('rollout')
    .description('List, show, continue, abort or undo rollouts over several accounts.')
    .examples(
      'rampart rollout list',
      'rampart rollout show',
      'rampart rollout continue 20261121T090000000Z-3f9a1c',
      'rampart rollout abort --reason "wrong rule"',
      'rampart rollout undo 20261121T090000000Z-3f9a1c',
    );
  rollout
    .command('list')
    .description('List the rollouts, latest first.')
    .option('--limit <count>', 'List at most this many rollouts (default: 50).', countOption(1))
    .askServer('List the rollouts of the Rampart server at this address (default: RAMPART_SERVER).')
    .prints('ndjson')
    .runs('none', async ({ server }) =>
      server === undefined
        ? (await import('../commands/rollout-list.ts')).rolloutListCommand
        : (await import('../server/list-on-server.ts')).listServerRollouts,
    );
  const id = 'Rollout id (default: the latest).';
  rollout
    .command('show')
    .argument('[rollout]', id)
    .description('Show a rollout.')
    .runs('none', async () => (await import('../commands/rollout.ts')).rolloutShow);
  const continued = addAccountRunFlags(rollout.command('continue'))
    .argument('[rollout]', id)
    .description('Continue a rollout with the accounts that are not done.')
    .addOption(maxFailedOption())
    .option('--summary-out <file>', 'Save the summary (the last event of --json) to this file.')
    .runs('none', async () => (await import('../commands/rollout.ts')).continueRolloutCommand);
  addLimitFlags(continued);
  rollout
    .command('abort')
    .argument('[rollout]', id)
    .description('Stop a rollout: running accounts finish, and no other account starts.')
    .option('--reason <text>', 'Record this reason in the audit log.')
    .runs('none', async () => (await import('../commands/rollout.ts')).abortRolloutCommand);
  addAccountRunFlags(rollout.command('undo'))
    .argument('[rollout]', id)
    .description('Undo the runs of a rollout, the last wave first.')
    .option('--auto-approve', 'Undo without asking for approval.')
    .runs('none', async () => (await import('../commands/rollout.ts')).undoRolloutRuns);
}

/** How a rollout goes through several accounts. */
export function addWaveFlags(command: CliCommand): CliCommand {
  return command
    .seldom(
      'rollouts',
      '--canary-accounts <accounts>',
      'With several accounts, apply to these first. Takes names separated by commas, or a CEL expression over labels.',
    )
    .seldom(
      'rollouts',
      '--waves <shares>',
      'With several accounts, apply to these shares of them, one after another, such as 10%,50%,100%.',
      readShares,
    )
    .seldom(
      'rollouts',
      '--wave-label <label>',
      'With several accounts, put accounts with different values of this label in different waves.',
    )
    .seldom(
      'rollouts',
      '--wave-pause <time>',
      'With several accounts, wait this long between two waves.',
      durationOption,
    )
    .addOption(inTopic('rollouts', maxFailedOption()));
}

function maxFailedOption(): Option {
  return new Option(
    '--max-failed <limit>',
    'With several accounts, stop if more than this many fail (a number, or a percentage such as 2%; default: 0).',
  ).argParser(readMaxFailed);
}

/** The flags of a run that hold for each account of a rollout, too. */
export function addAccountRunFlags(command: CliCommand): CliCommand {
  return command
    .option('--skip-stale', 'Leave out hosts that have changed since the plan was made, and apply the rest.')
    .seldom(
      'running',
      '--max-read-age <time>',
      'Read the list again before a deletion if the latest read is older than this (default: 1m).',
      durationOption,
    )
    .option(
      '--canary <hosts>',
      'Change this many hosts first (a number, or a percentage such as 5%), and the rest after these are verified.',
      readCanary,
    )
    .seldom(
      'running',
      '--lock-timeout <time>',
      'Wait this long for another run to end (default: 0s).',
      durationOption,
    )
    .option('--reason <text>', 'Record this reason with the run.')
    .option(
      '--ticket <number>',
      'Record this change ticket with the run. If the account requires tickets, it is checked right before the first write.',
    );
}

/** The limits of calls and time for a run; for a rollout, they apply to all its accounts together. */
export function addLimitFlags(command: CliCommand): CliCommand {
  return command
    .seldom(
      'running',
      '--max-calls <count>',
      'Send at most this many write calls, for all accounts together. Stops at a safe point.',
      countOption(1),
    )
    .seldom('running', '--deadline <time>', 'Start no new step after this time.', durationOption);
}
