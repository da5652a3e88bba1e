import { readColumns, readSort } from '../listing/choose-columns.ts';
import { countOption, durationOption } from '../shell/settings.ts';
import type { CliCommand, Commands } from './cli-command.ts';
import { addInventory } from './inventory-commands.ts';

/** The commands that show data of the service, and the two that send requests to hosts. */
export const serviceCommands: Commands = { hosts: addHosts };

function addHosts(program: CliCommand): void {
  const hosts = addListFlags(program.command('hosts'))
    .argument('[text]', 'List only the hosts whose id, name or group contains this text.')
    .description('List the hosts with their exact ids.')
    .askServer(
      'Search the hosts of all accounts of the Rampart server at this address (default: RAMPART_SERVER).',
    )
    .examples(
      'rampart hosts',
      'rampart hosts lobby',
      'rampart hosts --where \'host.online && host.name.startsWith("PC-")\'',
      'rampart hosts --columns id,name,host-name,antivirus --sort name:desc',
      'rampart hosts --format csv > hosts.csv',
    )
    .prints('csv', 'ndjson')
    .runs('each', async ({ server }) =>
      server === undefined
        ? (await import('../commands/hosts.ts')).hosts
        : (await import('../server/list-on-server.ts')).listServerHosts,
    );
  addGroups(hosts);
  addCustomFields(hosts);
  addAntivirus(hosts);
  addInventory(hosts);
  addConnect(hosts);
  addSnapshot(hosts);
}

function addGroups(hosts: CliCommand): void {
  hosts
    .command('groups')
    .description('List the groups and the number of hosts in each.')
    .examples('rampart hosts groups', 'rampart hosts groups --json', 'rampart hosts groups --format csv')
    .prints('csv', 'ndjson')
    .runs('each', async () => (await import('../commands/groups.ts')).groups);
}

function addCustomFields(hosts: CliCommand): void {
  hosts
    .command('fields')
    .description(
      'Show the custom fields and the number of hosts with each value. CSV lists the fields of every host.',
    )
    .option('--host <host>', 'Show only the fields of this host (id or name).')
    .examples(
      'rampart hosts fields',
      'rampart hosts fields --host PC-7 --json',
      'rampart hosts fields --format csv > fields.csv',
    )
    .prints('csv', 'ndjson')
    .runs('each', async () => (await import('../commands/custom-fields.ts')).customFields);
}

function addConnect(hosts: CliCommand): void {
  hosts
    .command('connect')
    .argument('<host>', 'Host id or name.')
    .description('Request a connection to a host and print its address.')
    .option('--direct-link', 'Request an address that needs no browser extension.')
    .option('--fail-when-in-session', 'Fail if someone is already connected to the host.')
    .examples('rampart hosts connect PC-7', 'rampart hosts connect 7 --direct-link --json')
    .runs('one', async () => (await import('../commands/connect.ts')).connect);
}

function addSnapshot(hosts: CliCommand): void {
  hosts
    .command('snapshot')
    .description('Save the current state of the fleet, to plan later without credentials.')
    .option('--out <file>', 'Write the snapshot to this file (default: stdout).')
    .option('--antivirus', 'Include the anti-virus list.', true)
    .option('--no-antivirus', "Leave out the anti-virus list, for example if the credentials can't read it.")
    .option('--custom-fields', 'Include the custom fields, for rules that read them.')
    .option('--inventory', 'Include the inventory that "rampart hosts inventory pull" fetched.')
    .examples(
      'rampart hosts snapshot --out fleet.snapshot.json',
      'rampart hosts snapshot --custom-fields --out fleet.snapshot.json',
    )
    .prints('ndjson')
    .runs('each', async () => (await import('../commands/snapshot.ts')).snapshot);
}

function addAntivirus(hosts: CliCommand): void {
  const antivirus = hosts
    .command('antivirus')
    .description('Show the anti-virus status of hosts, and ask hosts to report it.')
    .examples('rampart hosts antivirus status --missing', 'rampart hosts antivirus refresh --all');

  addListFlags(antivirus.command('status'))
    .description('Show the anti-virus status of each host.')
    .option('--missing', 'Show only hosts that support the anti-virus and do not have it.')
    .option('--threats', 'Show only hosts with threats.')
    .option('--group <group>', 'Show only this group (name or id; -1 for hosts in no group).')
    .examples(
      'rampart hosts antivirus status',
      'rampart hosts antivirus status --missing --format csv > missing.csv',
      'rampart hosts antivirus status --threats --json',
    )
    .prints('csv', 'ndjson')
    .runs('each', async () => (await import('../commands/antivirus-status.ts')).antivirusStatus);

  antivirus
    .command('refresh')
    .argument('[host...]', 'Host ids or names.')
    .description('Ask hosts to report their anti-virus status.')
    .option('--where <expression>', 'Ask all hosts that match this CEL expression.')
    .option('--all', 'Ask all hosts.')
    .option('--wait <time>', 'Wait at most this long for new reports of the hosts.', durationOption)
    .examples(
      'rampart hosts antivirus refresh PC-7 8',
      "rampart hosts antivirus refresh --where 'host.online' --wait 2m",
      'rampart hosts antivirus refresh --all --json',
    )
    .runs('each', async () => (await import('../commands/antivirus-refresh.ts')).antivirusRefreshCommand);
}

function addListFlags(command: CliCommand): CliCommand {
  return command
    .option('--where <expression>', 'Show only hosts that match this CEL expression, such as host.online.')
    .option(
      '--columns <names>',
      'Show these columns, separated by commas. Custom field names are accepted. Repeatable.',
      readColumns,
    )
    .option(
      '--sort <column>',
      'Sort by this column. Add :desc for descending order, as in name:desc.',
      readSort,
    )
    .option('--limit <count>', 'Show at most this many hosts.', countOption(1));
}
