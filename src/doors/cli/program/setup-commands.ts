import { type Command, Option } from 'commander';
import type { AdoptFlags } from '../commands/adopt.ts';
import type { ImportFlags } from '../commands/import.ts';
import type { UpdateFlags } from '../commands/import-update.ts';
import type { InitFlags } from '../setup/init-answers.ts';
import { examples } from '../shell/examples.ts';
import { collect } from '../shell/option-values.ts';
import type { Commands, Register } from '../shell/register.ts';
import { addFileFlag } from './planning-options.ts';

/** The commands that write desired-state files. None of them changes the fleet. */
export const setupCommands: Commands = {
  import: addImport,
  adopt: addAdopt,
  init: addInit,
};

function addImport(program: Command, register: Register): void {
  const importCommand = addFileFlag(program.command('import'))
    .description('write the live fleet as a desired state: --format yaml, json, csv, hcl or cdktf')
    .option('--out <path>', 'write it to a file or into a folder (stdout)')
    .option('--by-group', 'one file for each group')
    .addOption(new Option('--group <group>', 'only this group (name or id); repeatable').argParser(collect))
    .option('--antivirus', 'claim the anti-virus for the hosts that have it')
    .option('--observed <file>', 'import a snapshot of the fleet, without credentials')
    .option('--schema <path>', 'the JSON Schema for editors (schema/fleet.schema.json, where it is there)')
    .option('--force', 'replace files that are there')
    .option('--raw', 'with --format csv: leave cells that spreadsheets take for formulas as they are')
    .addOption(
      new Option('--update', 'add the hosts that no entry claims to the files of -f').conflicts([
        'out',
        'byGroup',
        'group',
        'schema',
        'force',
      ]),
    )
    .option('--into <file>', 'with --update: the file that gets the new hosts (the last one)')
    .option('--dry-run', 'with --update: only show what would be added')
    .addHelpText(
      'after',
      examples(
        'rampart import --out live.yaml --antivirus',
        'rampart import --by-group --out=sites',
        'rampart import --group -1 --format csv > ungrouped.csv',
        'rampart import --format hcl --out hosts.tf',
        'rampart import --format cdktf --out fleet-stack.ts',
        'rampart import --update -f fleet.yaml',
      ),
    );
  register(importCommand, async (context, flags: ImportFlags & UpdateFlags & { readonly update?: true }) =>
    flags.update === true
      ? (await import('../commands/import-update.ts')).updateFiles(context, flags)
      : (await import('../commands/import.ts')).importFleet(context, flags),
  );
}

function addAdopt(program: Command, register: Register): void {
  const adopt = addFileFlag(program.command('adopt'))
    .description('write ids into the entries that mean a host by its name')
    .option('--observed <file>', 'match with a snapshot of the fleet, without credentials')
    .option('--dry-run', 'only show what would be written')
    .addHelpText('after', examples('rampart adopt', 'rampart adopt -f fleet/ --dry-run'));
  register(adopt, async (context, flags: AdoptFlags) =>
    (await import('../commands/adopt.ts')).adopt(context, flags),
  );
}

function addInit(program: Command, register: Register): void {
  const init = program
    .command('init')
    .description('begin a folder with a desired state, a configuration and a schema for editors')
    .option('--dir <folder>', 'where (here)')
    .option('--base-url <url>', 'the address of the service')
    .option('--company-id <id>', 'the id of the company, as in its API settings')
    .option('--psk-variable <name>', 'the environment variable that holds the PSK')
    .addOption(new Option('--psk-file <path>', 'the file that holds the PSK').conflicts('pskVariable'))
    .addOption(
      new Option('--language <language>', 'what the desired state is written in').choices([
        'yaml',
        'typescript',
      ]),
    )
    .option('--from-fleet', 'write the live fleet as the desired state')
    .option('--yes', 'ask nothing: take what is usual for all that no flag says')
    .addHelpText(
      'after',
      examples(
        'rampart init --dir berlin --base-url https://remote.example.com --company-id 1234567890 --yes',
        'rampart init --dir trial --emulator --from-fleet --yes',
      ),
    );
  register(init, async (context, flags: InitFlags) =>
    (await import('../commands/init.ts')).init(context, flags),
  );
}
