import { Option } from 'commander';
import type { ApplyManyFlags } from '../rollouts/rollout-flags.ts';
import { addSummaryFlag } from '../shell/review-flags.ts';
import { countOption, durationOption, readAck, readCommit, readMoment } from '../shell/settings.ts';
import type { CliCommand, Commands } from './cli-command.ts';
import { inTopic } from './flag-topics.ts';
import {
  type AckFlag,
  accountAckOption,
  addPlanningFlags,
  bothAcks,
  requireSignatureOption,
} from './planning-options.ts';
import { addAccountRunFlags, addLimitFlags, addWaveFlags, rolloutCommands } from './rollout-commands.ts';

/** The commands that apply plans, and those for runs. */
export const runCommands: Commands = {
  apply: addApply,
  ...rolloutCommands,
  undo: addUndo,
  runs: addRuns,
};

function addApply(program: CliCommand): void {
  addWaveFlags(addRunFlags(addPlanningFlags(program.command('apply').desiredFiles())))
    .argument(
      '[plan]',
      'Plan file, or folder of the plans of several accounts, written by rampart plan --out. Passing it approves the plan.',
    )
    .description('Apply a plan, or the plans of several accounts in waves.')
    .addOption(accountAckOption())
    .option('--checksum <hex>', 'Apply only the plan with this checksum. Passing it approves the plan.')
    .option(
      '--continue',
      'With several accounts, continue the rollout of these plans if it was started. Otherwise, start one.',
    )
    .option('--out <file>', 'With -f, save the plan to this file, whether or not it is applied.')
    .seldom(
      'running',
      '--reviewed [key]',
      'In a GitLab pipeline, apply only the plan that rampart plan note posted on the merged merge request, with this --key (default: default).',
    )
    .addOption(inTopic('running', requireSignatureOption()))
    .seldom(
      'running',
      '--summary-out <file>',
      'Save the run summary (the last event of --json) to this file.',
    )
    .seldom('running', '--max-plan-age <time>', 'Refuse a plan file older than this.', durationOption)
    .examples(
      'rampart apply plan.json',
      'rampart apply -f fleet.yaml',
      'rampart apply -f fleet/ --auto-approve --ack delete=28',
      'rampart apply plan.json --summary --max-calls 500 --deadline 30m',
      'rampart apply plans/ --canary-accounts berlin --waves 10%,50%,100%',
      `rampart apply --accounts 'region == "eu"' --max-failed 2%`,
    )
    .runs(
      'together',
      async () =>
        async (
          context,
          { ack, ...flags }: Omit<ApplyManyFlags, 'ack' | 'accountAcks'> & AckFlag,
          plan?: string,
        ) =>
          (await import('../commands/apply.ts')).apply(context, { ...flags, ...bothAcks(ack) }, plan),
    );
}

function addUndo(program: CliCommand): void {
  addRunFlags(program.command('undo'))
    .argument('[run]', 'Run id, as rampart runs lists it (default: the latest).')
    .description('Plan and apply the reversal of a run.')
    .option('--out <file>', 'Save the revert plan to this file, and change nothing.')
    .askServer(
      'Have the Rampart server at this address (default: RAMPART_SERVER) plan the reversal of one of its runs. The plan waits for approval. Needs --reason. The other flags of this command have no effect on a server, and are refused.',
    )
    .option(
      '--ack <kind=count>',
      'Approve a plan that exceeds a limit: give its total, such as rename=28. Repeatable.',
      readAck,
    )
    .examples('rampart undo', 'rampart undo 20261121T090000Z-3f9a1c --out undo.json')
    .runs('one', async ({ server }) =>
      server === undefined
        ? (await import('../commands/undo.ts')).undo
        : (await import('../server/undo-on-server.ts')).undoOnServer,
    );
}

function addRuns(program: CliCommand): void {
  const runs = program
    .command('runs')
    .description('List past runs, latest first.')
    .option('--actor <name>', 'List only the runs of this person or job.')
    .option('--commit <hex>', 'List only the runs of this Git commit. Takes its first digits.', readCommit)
    .addOption(
      new Option('--state <state>', 'List only the runs in this state.').choices([
        'completed',
        'incomplete',
        'crashed',
        'running',
      ]),
    )
    .option(
      '--since <time>',
      'List only the runs that began at or after this time. Takes a date, a time, or a duration before now.',
      readMoment,
    )
    .option(
      '--until <time>',
      'List only the runs that began at or before this time. Takes a date, a time, or a duration before now.',
      readMoment,
    )
    .option('--limit <count>', 'List at most this many runs (default: 50).', countOption(1))
    .option('--all', 'List all runs.')
    .askServer('List the runs of the Rampart server at this address (default: RAMPART_SERVER).')
    .examples(
      'rampart runs',
      'rampart runs --actor alice --since 7d --state incomplete',
      'rampart runs show 20261121T090000Z-3f9a1c',
      'rampart runs show 0b6e2f7c-4d5a-4f0e-9a53-2c1d8e7f6a90 --server',
      'rampart runs export 20261121T090000Z-3f9a1c',
    )
    .prints('csv', 'ndjson')
    .runs('each', async ({ server }) =>
      server === undefined
        ? (await import('../commands/runs.ts')).runsCommand
        : (await import('../server/list-on-server.ts')).listServerRuns,
    );
  runs
    .command('show')
    .argument('<run>', 'Run id.')
    .description('Show the steps of one run.')
    .askServer('Show a run of the Rampart server at this address (default: RAMPART_SERVER).')
    .runs('one', async ({ server }) =>
      server === undefined
        ? (await import('../commands/runs.ts')).showRun
        : (await import('../server/show-on-server.ts')).showServerRun,
    );
  runs
    .command('export')
    .argument('<run>', 'Run id.')
    .description('Print the changes of one run as NDJSON.')
    .runs('one', async () => (await import('../commands/runs.ts')).exportRun);
}

/** The flags of a run, whatever the source of its plan. */
function addRunFlags(command: CliCommand): CliCommand {
  return addLimitFlags(
    addSummaryFlag(addAccountRunFlags(command)).option(
      '--auto-approve',
      'Apply without asking for approval.',
    ),
  );
}
