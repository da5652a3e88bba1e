import { type Command, Option } from 'commander';
import { inventoryKinds } from '../../../core/model/facts.ts';
import type { ExportFlags } from '../commands/inventory-export.ts';
import type { FieldsFlags } from '../commands/inventory-fields.ts';
import type { PullFlags } from '../commands/inventory-pull.ts';
import { examples } from '../shell/examples.ts';
import { collect, readCount, readDuration } from '../shell/option-values.ts';
import type { Commands, Register } from '../shell/register.ts';

/** The commands around the local cache of hardware and system inventory. */
export const inventoryCommands: Commands = {
  inventory: addInventory,
};

function addInventory(program: Command, register: Register): void {
  const inventory = program
    .command('inventory')
    .description('how much of the inventory is here, and how old it is; nothing is sent')
    .addHelpText('after', examples('rampart inventory'));
  register(inventory, async (context) =>
    (await import('../commands/inventory-status.ts')).inventoryStatus(context),
  );

  const pull = inventory
    .command('pull')
    .description(
      'fetch inventory into the local cache, oldest first; goes on where an earlier pull has ended',
    )
    .option('--hardware', 'the hardware inventory only')
    .option('--system', 'the system inventory only')
    .option('--fields <names>', 'only these fields, with commas between; repeatable (all)', collect)
    .option('--host <host>', 'only this host, by id or name; repeatable (all)', collect)
    .addOption(
      new Option('-f, --file <path>', 'only what this desired state reads; repeatable').argParser(collect),
    )
    .addOption(
      new Option('--max-age <time>', 'leave out hosts that were asked in so recent a time (7d)').argParser(
        readDuration,
      ),
    )
    .addOption(
      new Option('--max-reports <count>', 'make so many reports of each inventory at most').argParser(
        readCount(1, 999_999_999),
      ),
    )
    .addOption(new Option('--deadline <time>', 'make no report after this time').argParser(readDuration))
    .addHelpText(
      'after',
      examples(
        'rampart inventory pull',
        'rampart inventory pull -f fleet.yaml',
        'rampart inventory pull --fields ServiceTag,HardwareModel',
        'rampart inventory pull --system --max-age 1d --deadline 30m',
        'rampart inventory pull --hardware --json',
      ),
    );
  register(pull, async (context, flags: PullFlags) =>
    (await import('../commands/inventory-pull.ts')).inventoryPull(context, flags),
  );

  const status = inventory
    .command('status')
    .description('how much of the inventory is here, and how old it is; nothing is sent')
    .addHelpText('after', examples('rampart inventory status', 'rampart inventory status --json'));
  register(status, async (context) =>
    (await import('../commands/inventory-status.ts')).inventoryStatus(context),
  );

  const show = inventory
    .command('show')
    .argument('<host>', 'a host, by id or name')
    .description('all that the cache knows of one host; nothing is sent');
  register(show, async (context, _flags, [host = '']) =>
    (await import('../commands/inventory-show.ts')).inventoryShow(context, host),
  );

  const exporting = inventory
    .command('export')
    .description('the cached inventory of all hosts, one to a row; nothing is sent')
    .addOption(kindOption())
    .addHelpText(
      'after',
      examples(
        'rampart inventory export --format csv > inventory.csv',
        'rampart inventory export --format ndjson --kind hardware',
      ),
    );
  register(exporting, async (context, flags: ExportFlags) =>
    (await import('../commands/inventory-export.ts')).inventoryExport(context, flags),
  );

  const fields = inventory
    .command('fields')
    .description('the fields that the service has, for --fields')
    .addOption(kindOption())
    .addHelpText('after', examples('rampart inventory fields', 'rampart inventory fields --kind system'));
  register(fields, async (context, flags: FieldsFlags) =>
    (await import('../commands/inventory-fields.ts')).inventoryFields(context, flags),
  );
}

function kindOption(): Option {
  return new Option('--kind <kind>', 'only this inventory (both)').choices([...inventoryKinds]);
}
