import { Option } from 'commander';
import { inventoryKinds } from '../../core/model/facts.ts';
import { collect, countOption, durationOption } from '../shell/settings.ts';
import type { CliCommand } from './cli-command.ts';

/** The commands for the local cache of hardware and system inventory. */
export function addInventory(hosts: CliCommand): void {
  const inventory = hosts
    .command('inventory')
    .description('Show how much inventory is cached and how old it is. Sends nothing.')
    .examples('rampart hosts inventory')
    .runs('one', async () => (await import('../commands/inventory-status.ts')).inventoryStatusCommand);

  inventory
    .command('pull')
    .description('Fetch inventory into the local cache, oldest first. Continues an earlier pull.')
    .option('--hardware', 'Fetch only the hardware inventory.')
    .option('--system', 'Fetch only the system inventory.')
    .option(
      '--fields <names>',
      'Fetch only these fields, separated by commas. Repeatable (default: all).',
      collect,
    )
    .option('--host <host>', 'Fetch only this host (id or name). Repeatable (default: all).', collect)
    .option('-f, --file <path>', 'Fetch only what this desired state reads. Repeatable.', collect)
    .option(
      '--max-inventory-age <time>',
      'Skip hosts that were fetched more recently than this (default: 7d).',
      durationOption,
    )
    .option('--max-reports <count>', 'Create at most this many reports for each inventory.', countOption(1))
    .option('--deadline <time>', 'Create no report after this time.', durationOption)
    .examples(
      'rampart hosts inventory pull',
      'rampart hosts inventory pull -f fleet.yaml',
      'rampart hosts inventory pull --fields ServiceTag,HardwareModel',
      'rampart hosts inventory pull --system --max-inventory-age 1d --deadline 30m',
      'rampart hosts inventory pull --hardware --json',
    )
    .prints('ndjson')
    .runs('each', async () => (await import('../commands/inventory-pull.ts')).inventoryPullCommand);

  inventory
    .command('status')
    .description('Show how much inventory is cached and how old it is. Sends nothing.')
    .examples('rampart hosts inventory status', 'rampart hosts inventory status --json')
    .runs('each', async () => (await import('../commands/inventory-status.ts')).inventoryStatusCommand);

  inventory
    .command('show')
    .argument('<host>', 'Host id or name.')
    .description('Show the cached inventory of one host. Sends nothing.')
    .runs('each', async () => (await import('../commands/inventory-status.ts')).inventoryShow);

  inventory
    .command('export')
    .description('Export the cached inventory, one row per host. Sends nothing.')
    .addOption(kindOption())
    .examples(
      'rampart hosts inventory export --format csv > inventory.csv',
      'rampart hosts inventory export --format ndjson --kind hardware',
    )
    .prints('csv', 'ndjson')
    .runs('each', async () => (await import('../commands/inventory-export.ts')).inventoryExport);

  inventory
    .command('fields')
    .description('List the field names that --fields accepts.')
    .addOption(kindOption())
    .examples('rampart hosts inventory fields', 'rampart hosts inventory fields --kind system')
    .runs('each', async () => (await import('../commands/inventory-export.ts')).inventoryFields);
}

function kindOption(): Option {
  return new Option('--kind <kind>', 'Use only this inventory (default: both).').choices([...inventoryKinds]);
}
