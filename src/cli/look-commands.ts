import { type Command, Option } from 'commander';
import type { EmulatorFlags } from './commands/emulator.ts';
import type { SnapshotFlags } from './commands/snapshot.ts';
import { examples } from './examples.ts';
import { readCount } from './option-values.ts';
import type { Register } from './register.ts';

/** The commands that look at the service, and those around it. */
export function addLookCommands(program: Command, register: Register): void {
  const hosts = program
    .command('hosts')
    .description('list all hosts with their exact ids')
    .addHelpText('after', examples('rampart hosts', 'rampart hosts --json'));
  register(hosts, async (context) => (await import('./commands/hosts.ts')).hosts(context));

  const groups = program
    .command('groups')
    .description('list all groups and how many hosts are in each')
    .addHelpText('after', examples('rampart groups', 'rampart groups --json'));
  register(groups, async (context) => (await import('./commands/groups.ts')).groups(context));

  const snapshot = program
    .command('snapshot')
    .description('save what the lists say of the fleet, to plan on it later without credentials')
    .option('--out <file>', 'write it to a file (stdout)')
    .addHelpText('after', examples('rampart snapshot --out fleet.snapshot.json'));
  register(snapshot, async (context, flags: SnapshotFlags) =>
    (await import('./commands/snapshot.ts')).snapshot(context, flags),
  );

  const auth = program
    .command('auth')
    .description('check the credentials')
    .addHelpText('after', examples('rampart auth'));
  register(auth, async (context) => (await import('./commands/auth.ts')).auth(context));

  const emulator = program
    .command('emulator')
    .description('serve an emulated service on 127.0.0.1 until interrupted')
    .option('--seed <file>', 'its fleet, as a small YAML file')
    .addOption(new Option('--port <number>', 'its port (any free one)').argParser(readCount(0, 65_535)))
    .addOption(
      new Option('--hosts <count>', 'make up a fleet of so many hosts (40)')
        .argParser(readCount(0, 1_000_000))
        .conflicts('seed'),
    )
    .option('--limits', 'limit lists and reports to about one a minute, as live services do')
    .addHelpText(
      'after',
      examples(
        'rampart emulator',
        'rampart emulator --seed seed.yaml --port 8080',
        'rampart emulator --hosts 5000',
      ),
    );
  register(emulator, async (context, flags: EmulatorFlags) =>
    (await import('./commands/emulator.ts')).emulator(context, flags),
  );

  const schema = program
    .command('schema')
    .description('print the JSON Schema of desired-state files, for editors')
    .addHelpText('after', examples('rampart schema > fleet.schema.json'));
  register(schema, async (context) => (await import('./commands/schema.ts')).schema(context));
}
