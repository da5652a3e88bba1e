import { type Command, Option } from 'commander';
import type { RefreshFlags } from '../commands/antivirus-refresh.ts';
import type { AntivirusStatusFlags } from '../commands/antivirus-status.ts';
import type { AuthFlags } from '../commands/auth.ts';
import type { ConnectFlags } from '../commands/connect.ts';
import type { CustomFieldsFlags } from '../commands/custom-fields.ts';
import type { SnapshotFlags } from '../commands/snapshot.ts';
import { readColumns, readSort } from '../listing/choose-columns.ts';
import type { ListFlags } from '../listing/list-hosts.ts';
import { examples } from '../shell/examples.ts';
import { readCount, readDuration } from '../shell/option-values.ts';
import type { Commands, Register } from '../shell/register.ts';

/** The commands that show what the service knows, and the two that ask hosts for something. */
export const serviceCommands: Commands = {
  hosts: addHosts,
  groups: addGroups,
  'custom-fields': addCustomFields,
  antivirus: addAntivirus,
  connect: addConnect,
  snapshot: addSnapshot,
  auth: addAuth,
};

function addHosts(program: Command, register: Register): void {
  const hosts = addListFlags(program.command('hosts'))
    .description('list the hosts with their exact ids')
    .addHelpText(
      'after',
      examples(
        'rampart hosts',
        'rampart hosts --where \'host.online && host.name.startsWith("PC-")\'',
        'rampart hosts --columns id,name,host-name,antivirus --sort name:desc',
        'rampart hosts --format csv > hosts.csv',
      ),
    );
  register(hosts, async (context, flags: ListFlags) =>
    (await import('../commands/hosts.ts')).hosts(context, flags),
  );
}

function addGroups(program: Command, register: Register): void {
  const groups = program
    .command('groups')
    .description('list all groups, and how many hosts are in each')
    .addHelpText('after', examples('rampart groups', 'rampart groups --json', 'rampart groups --format csv'));
  register(groups, async (context) => (await import('../commands/groups.ts')).groups(context));
}

function addCustomFields(program: Command, register: Register): void {
  const customFields = program
    .command('custom-fields')
    .description(
      'show the custom fields and how many hosts have each value; as CSV, the fields of every host',
    )
    .option('--host <host>', 'only those of this host (id or name)')
    .addHelpText(
      'after',
      examples(
        'rampart custom-fields',
        'rampart custom-fields --host PC-7 --json',
        'rampart custom-fields --format csv > fields.csv',
      ),
    );
  register(customFields, async (context, flags: CustomFieldsFlags) =>
    (await import('../commands/custom-fields.ts')).customFields(context, flags),
  );
}

function addConnect(program: Command, register: Register): void {
  const connect = program
    .command('connect')
    .argument('<host>', 'its id or its name')
    .description('ask for a connection to a host, and print its address')
    .option('--direct-link', 'an address that needs no browser extension')
    .option('--fail-when-in-session', 'not where someone is connected to it already')
    .addHelpText('after', examples('rampart connect PC-7', 'rampart connect 7 --direct-link --json'));
  register(connect, async (context, flags: ConnectFlags, [host = '']) =>
    (await import('../commands/connect.ts')).connect(context, host, flags),
  );
}

function addSnapshot(program: Command, register: Register): void {
  const snapshot = program
    .command('snapshot')
    .description('save what the lists say of the fleet, to plan on it later without credentials')
    .option('--out <file>', 'write it to a file (stdout)')
    .option('--antivirus', 'with the anti-virus list (the default)', true)
    .option('--no-antivirus', 'without it, where the credentials may not read it')
    .option('--custom-fields', 'with the custom fields, for rules that read them')
    .option('--inventory', 'with what “rampart inventory pull” has fetched')
    .addHelpText(
      'after',
      examples(
        'rampart snapshot --out fleet.snapshot.json',
        'rampart snapshot --custom-fields --out fleet.snapshot.json',
      ),
    );
  register(snapshot, async (context, flags: SnapshotFlags) =>
    (await import('../commands/snapshot.ts')).snapshot(context, flags),
  );
}

function addAuth(program: Command, register: Register): void {
  const auth = program
    .command('auth')
    .description('check the credentials')
    .option('--rights', 'also try each list once, and tell which they may read')
    .addHelpText('after', examples('rampart auth', 'rampart auth --rights'));
  register(auth, async (context, flags: AuthFlags) =>
    (await import('../commands/auth.ts')).auth(context, flags),
  );
}

function addAntivirus(program: Command, register: Register): void {
  const antivirus = program
    .command('antivirus')
    .description('look at the anti-virus of the hosts, and have them report it')
    .addHelpText('after', examples('rampart antivirus status --missing', 'rampart antivirus refresh --all'));

  const status = addListFlags(antivirus.command('status'))
    .description('show what the service knows of the anti-virus on each host')
    .option('--missing', 'only where it can be installed and is not')
    .option('--threats', 'only where threats were found')
    .option('--group <group>', 'only this group (name or id; -1: in no group)')
    .addHelpText(
      'after',
      examples(
        'rampart antivirus status',
        'rampart antivirus status --missing --format csv > missing.csv',
        'rampart antivirus status --threats --json',
      ),
    );
  register(status, async (context, flags: AntivirusStatusFlags) =>
    (await import('../commands/antivirus-status.ts')).antivirusStatus(context, flags),
  );

  const refresh = antivirus
    .command('refresh')
    .argument('[host...]', 'ids or names of hosts')
    .description('ask hosts to report their anti-virus status')
    .option('--where <expression>', 'all hosts of which this is true')
    .option('--all', 'all hosts')
    .addOption(
      new Option('--wait <time>', 'look so long at most whether they report something new').argParser(
        readDuration,
      ),
    )
    .addHelpText(
      'after',
      examples(
        'rampart antivirus refresh PC-7 8',
        "rampart antivirus refresh --where 'host.online' --wait 2m",
        'rampart antivirus refresh --all --json',
      ),
    );
  register(refresh, async (context, flags: RefreshFlags) =>
    (await import('../commands/antivirus-refresh.ts')).antivirusRefresh(context, flags, refresh.args),
  );
}

function addListFlags(command: Command): Command {
  return command
    .option('--where <expression>', 'only hosts of which this is true, such as host.online')
    .addOption(
      new Option(
        '--columns <names>',
        'what to show, between commas; also the names of custom fields; repeatable',
      ).argParser(readColumns),
    )
    .addOption(
      new Option('--sort <column>', 'by this column; name:desc turns the order round').argParser(readSort),
    )
    .addOption(new Option('--limit <count>', 'so many at most').argParser(readCount(1, 999_999_999)));
}
