import { type Command, Option } from 'commander';
import type { AdoptFlags } from '../commands/adopt.ts';
import type { AdoptDriftFlags } from '../commands/adopt-drift.ts';
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
  'adopt-drift': addAdoptDrift,
  init: addInit,
};

function addImport(program: Command, register: Register): void {
  const importCommand = addFileFlag(program.command('import'))
    .description('Write the live fleet as a desired state, with --format yaml, json, csv, hcl or cdktf.')
    .option('--out <path>', 'Write to this file or folder (default: stdout).')
    .option('--by-group', 'Write one file for each group.')
    .addOption(
      new Option('--group <group>', 'Import only this group (name or id). Repeatable.').argParser(collect),
    )
    .option('--antivirus', 'Write "antivirus: installed" for hosts that have the anti-virus.')
    .option('--observed <file>', 'Import this snapshot of the fleet. Needs no credentials.')
    .option(
      '--schema <path>',
      'Write a comment that makes editors use this JSON Schema (default: schema/fleet.schema.json if it exists).',
    )
    .option('--force', 'Overwrite existing files.')
    .option('--raw', 'With --format csv, do not escape cells that spreadsheets read as formulas.')
    .addOption(
      new Option('--update', 'Add hosts without an entry to the files of -f.').conflicts([
        'out',
        'byGroup',
        'group',
        'schema',
        'force',
      ]),
    )
    .option('--into <file>', 'With --update, add the hosts to this file (default: the last one).')
    .option('--dry-run', 'With --update, show what would be added without writing it.')
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
  register(
    importCommand,
    async (context, flags: ImportFlags & UpdateFlags & { readonly update?: true }) =>
      flags.update === true
        ? (await import('../commands/import-update.ts')).updateFiles(context, flags)
        : (await import('../commands/import.ts')).importFleet(context, flags),
    ['yaml', 'csv', 'hcl', 'cdktf'],
  );
}

function addAdopt(program: Command, register: Register): void {
  const adopt = addFileFlag(program.command('adopt'))
    .description('Write ids into entries that refer to a host by name.')
    .option('--observed <file>', 'Use this snapshot of the fleet. Needs no credentials.')
    .option('--dry-run', 'Show what would be written without writing it.')
    .addHelpText('after', examples('rampart adopt', 'rampart adopt -f fleet/ --dry-run'));
  register(adopt, async (context, flags: AdoptFlags) =>
    (await import('../commands/adopt.ts')).adopt(context, flags),
  );
}

function addAdoptDrift(program: Command, register: Register): void {
  const command = addFileFlag(program.command('adopt-drift'))
    .argument('[hosts...]', 'Ids, names or expressions (default: every host that drifted).')
    .description('Write changes that people made in the fleet into the desired state.')
    .option('--observed <file>', 'Use this snapshot of the fleet. Needs no credentials.')
    .option('--since <file>', 'Compare with this plan or snapshot (default: the fleet after the last run).')
    .option('--dry-run', 'Show what would be written as a patch without writing it.')
    .addHelpText('after', examples('rampart adopt-drift --dry-run', 'rampart adopt-drift PC-31 200'));
  register(command, async (context, flags: AdoptDriftFlags) =>
    (await import('../commands/adopt-drift.ts')).adoptDrift(context, command.args, flags),
  );
}

function addInit(program: Command, register: Register): void {
  const init = program
    .command('init')
    .description(
      'Create a folder with a desired state, a configuration, a schema for editors and, on request, a pipeline.',
    )
    .option('--dir <folder>', 'Create the files in this folder (default: the current folder).')
    .option('--base-url <url>', 'Service URL.')
    .option('--company-id <id>', 'Company id of the account, as shown in its API settings.')
    .option('--psk-variable <name>', 'Name of the environment variable that holds the PSK.')
    .addOption(
      new Option('--psk-file <path>', 'Path of the file that holds the PSK.').conflicts('pskVariable'),
    )
    .addOption(
      new Option('--language <language>', 'Language of the desired state.').choices(['yaml', 'typescript']),
    )
    .option('--from-fleet', 'Write the live fleet as the desired state.')
    .addOption(
      new Option('--github', 'Write workflows for GitHub Actions.').conflicts(['gitlab', 'azure', 'pskFile']),
    )
    .addOption(new Option('--gitlab', 'Write a pipeline for GitLab CI/CD.').conflicts(['azure', 'pskFile']))
    .addOption(new Option('--azure', 'Write a pipeline for Azure Pipelines.').conflicts(['pskFile']))
    .option(
      '--branch <name>',
      'Branch that reviewed changes are merged into (default: the default branch of origin, the current branch, or main).',
    )
    .option(
      '--action <name>',
      'Action that the workflows use, as OWNER/REPOSITORY@COMMIT (default: this release).',
    )
    .option('--force', 'Replace files of the pipeline that have different content.')
    .option('--yes', 'Accept the defaults without prompting.')
    .addHelpText(
      'after',
      examples(
        'rampart init --github --base-url https://remote.example.com --company-id 1234567890 --from-fleet --yes',
        'rampart init --github --emulator --yes',
        'rampart init --dir berlin --base-url https://remote.example.com --company-id 1234567890 --yes',
        'rampart init --dir trial --emulator --from-fleet --yes',
      ),
    );
  register(init, async (context, flags: InitFlags) =>
    (await import('../commands/init.ts')).init(context, flags),
  );
}
