import { Argument, Option } from 'commander';
import { printableSchemas } from '../commands/schema.ts';
import { shells } from '../completion/shell-scripts.ts';
import { collect, countOption } from '../shell/settings.ts';
import type { CliCommand, Commands } from './cli-command.ts';
import { topicNames } from './flag-topics.ts';

/** The commands for the service and the desired state. */
export const toolCommands: Commands = {
  emulator: addEmulator,
  doctor: addDoctor,
  mcp: addMcp,
  completion: addCompletion,
  complete: addComplete,
  schema: addSchema,
  help: addHelp,
};

function addEmulator(program: CliCommand): void {
  program
    .command('emulator')
    .description('Serve an emulated service on 127.0.0.1 until interrupted.')
    .option(
      '--seed <file>',
      'Load the fleet from this YAML file, or from a folder with one file per account.',
    )
    .option('--port <number>', 'Listen on this port (default: any free port).', countOption(0, 65_535))
    .addOption(
      new Option('--hosts <count>', 'Generate this many hosts for each account (default: 40).')
        .argParser(countOption(0, 1_000_000))
        .conflicts('seed'),
    )
    .addOption(
      new Option('--accounts <count>', 'Generate this many accounts, each with its own key (default: 1).')
        .argParser(countOption(1, 10_000))
        .conflicts('seed'),
    )
    .addOption(
      new Option('--large-ids', 'Give every tenth generated host an id above 2^53.').conflicts('seed'),
    )
    .option(
      '--limits',
      'Limit lists to about one per minute, as live services do. Reports are always limited.',
    )
    .option(
      '--set <setting>',
      'Change the behavior of the service: key=value, or @FILE with one key per line; for one account ACCOUNT:key=value. Repeatable. See docs/guides/emulator.md.',
      collect,
    )
    .option(
      '--write-config <file>',
      'Write a configuration that lists the accounts, and a folder "keys" with their keys next to it.',
    )
    .examples(
      'rampart emulator',
      'rampart emulator --seed seed.yaml --port 8080',
      'rampart emulator --hosts 5000 --limits',
      'rampart emulator --accounts 200 --json',
      'rampart emulator --accounts 10 --port 8080 --write-config rampart.config.yaml',
      "rampart emulator --accounts 10 --set 'account-3:faults=[{ action: writes, effect: { kind: status, status: 503 } }]'",
      'rampart emulator --set jsonPrefix=everywhere --set reportReadyAfterMs=3000',
    )
    .runs('none', async () => (await import('../commands/emulator.ts')).emulator);
}

function addDoctor(program: CliCommand): void {
  const doctor = program
    .command('doctor')
    .description(
      'Check versions, files, configuration, proxy, service, credentials and clocks. Sends one GET request.',
    )
    .examples('rampart doctor', 'rampart doctor --json')
    .runs('each', async () => (await import('../commands/doctor.ts')).doctor);
  addCredentials(doctor);
}

function addCredentials(doctor: CliCommand): void {
  doctor
    .command('credentials')
    .description('Check the credentials.')
    .option('--rights', 'Also read each list once, and show which lists the credentials can read.')
    .examples('rampart doctor credentials', 'rampart doctor credentials --rights')
    .runs('each', async () => (await import('../commands/doctor-credentials.ts')).doctorCredentials);
}

function addMcp(program: CliCommand): void {
  program
    .command('mcp')
    .desiredFiles()
    .description(
      'Let a program ask questions over the Model Context Protocol on stdin and stdout. It can plan and propose, but not apply or approve.',
    )
    .askServer(
      'Ask the Rampart server at this address instead of local files and the service (default: RAMPART_SERVER).',
    )
    .examples(
      'rampart mcp',
      'rampart mcp --account berlin',
      'rampart mcp --server https://rampart.example.com',
    )
    .runs('none', async () => (await import('../commands/mcp.ts')).mcp);
}

function addCompletion(program: CliCommand): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'Shell to complete in.').choices(shells))
    .description('Print a shell script that completes commands, flags, hosts and groups.')
    .examples('rampart completion bash > rampart.bash', 'rampart completion fish')
    .runs('none', async () => (await import('../commands/completion.ts')).completion);
}

function addComplete(program: CliCommand): void {
  program
    .command('complete', { hidden: true })
    .argument('[words...]', 'Words of the command line so far.')
    .description('Print the words that can follow. The scripts of rampart completion call this command.')
    .allowUnknownOption()
    .runs(
      'none',
      async () => async (context, _flags: unknown, words: readonly string[]) =>
        (await import('../commands/completion.ts')).complete(context, program, words),
    );
}

function addSchema(program: CliCommand): void {
  program
    .command('schema')
    .description('Print the JSON Schema of desired-state files, configurations, plans or events.')
    .addArgument(
      new Argument('[document]', 'Document that the schema describes.')
        .choices(printableSchemas)
        .default('fleet'),
    )
    .examples('rampart schema > fleet.schema.json', 'rampart schema plan > plan.schema.json')
    .runs('none', async () => (await import('../commands/schema.ts')).schema);
}

function addHelp(program: CliCommand): void {
  const help = program
    .command('help')
    .argument('[command...]', `Words of the command, or a topic: ${topicNames.join(', ')}.`)
    .description('Print the help of a command, or of rarely used flags.')
    .examples('rampart help runs show', 'rampart help flags')
    .runs(
      'none',
      async () => async (context) => (await import('../commands/help.ts')).help(context, program, help.args),
    );
}
