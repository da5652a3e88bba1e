import { durationOption, readAck } from '../shell/settings.ts';
import type { CliCommand } from './cli-command.ts';

/** Adds the commands that ask a running server. */
export function addRemoteCommands(server: CliCommand): void {
  for (const add of [addStatus, addApprove, addReject, addPause, addResume, addOverride]) add(server);
}

const serverWords =
  'Ask the Rampart server at this address (default: RAMPART_SERVER). The token comes from RAMPART_SERVER_TOKEN or RAMPART_SERVER_TOKEN_FILE.';

function addStatus(server: CliCommand): void {
  server
    .command('status')
    .askServer(serverWords)
    .description('Show what the server knows: accounts by health, causes, waiting plans and runs.')
    .examples('rampart server status', 'rampart server status --json')
    .runs('none', async () => (await import('../commands/status.ts')).status);
}

function addApprove(server: CliCommand): void {
  server
    .command('approve')
    .askServer(serverWords)
    .argument('<plan>', 'Plan id, as rampart server status lists it.')
    .description('Approve a plan of the server.')
    .option(
      '--checksum <hex>',
      'Approve only the plan with this checksum, as rampart show prints it. Required.',
    )
    .option(
      '--ack <kind=count>',
      'Approve a plan that exceeds a limit: give its total, such as delete=28. Repeatable.',
      readAck,
    )
    .option('--comment <text>', 'Save this comment with the approval.')
    .option(
      '--ticket <number>',
      'Record this change ticket with the run, and check it before the first write.',
    )
    .examples(
      'rampart server approve 7d2c91f0-8a4e-4b52-9d0e-5b1f3c6a7e21 --checksum 4f2d81c09e6b7a35d1f0c2e4a8b69753e1d2c4b6a89071f3e5d7c9b1a2f4e6d8 --ack delete=28',
    )
    .runs('none', async () => (await import('../commands/decide.ts')).approve);
}

function addReject(server: CliCommand): void {
  server
    .command('reject')
    .askServer(serverWords)
    .argument('<plan>', 'Plan id, as rampart server status lists it.')
    .description('Reject a plan of the server.')
    .option(
      '--checksum <hex>',
      'Reject only the plan with this checksum, as rampart show prints it. Required.',
    )
    .option('--reason <text>', 'Record this reason. Required.')
    .examples(
      'rampart server reject 7d2c91f0-8a4e-4b52-9d0e-5b1f3c6a7e21 --checksum 4f2d81c09e6b7a35d1f0c2e4a8b69753e1d2c4b6a89071f3e5d7c9b1a2f4e6d8 --reason "wrong group"',
    )
    .runs('none', async () => (await import('../commands/decide.ts')).reject);
}

function addPause(server: CliCommand): void {
  server
    .command('pause')
    .askServer(serverWords)
    .description('Pause accounts: the server still checks them, and changes nothing.')
    .option('--all', 'Pause all accounts.')
    .option('--reason <text>', 'Record this reason. Required.')
    .option('--for <time>', 'End the pause after this time.', durationOption)
    .examples(
      'rampart server pause --account berlin --reason "the office moves" --for 2d',
      'rampart server pause --all --reason "incident 4711"',
    )
    .runs('none', async () => (await import('../commands/pause.ts')).pauseCommand);
}

function addResume(server: CliCommand): void {
  server
    .command('resume')
    .askServer(serverWords)
    .description('End the pause of an account, of an expression, or of all accounts.')
    .option('--all', 'End the pause of all accounts.')
    .examples('rampart server resume --account berlin', 'rampart server resume --all')
    .runs('none', async () => (await import('../commands/pause.ts')).resume);
}

function addOverride(server: CliCommand): void {
  server
    .command('override')
    .askServer(serverWords)
    .description(
      "Let an account's approved run start or continue while a change window is closed or a freeze is active.",
    )
    .option('--reason <text>', 'Record this reason. Required.')
    .examples('rampart server override --account berlin --reason "incident 4711"')
    .runs('none', async () => (await import('../commands/pause.ts')).override);
}
