import { Option } from 'commander';
import { collect } from '../shell/settings.ts';
import type { CliCommand, Commands } from './cli-command.ts';

/** The commands that write desired-state files. None of them changes the fleet. */
export const setupCommands: Commands = {
  import: addImport,
  init: addInit,
};

function addImport(program: CliCommand): void {
  const importCommand = program
    .command('import')
    .description('Write the live fleet as a desired state, with --format yaml, json, csv, hcl or cdktf.')
    .option('--out <path>', 'Write to this file or folder (default: stdout).')
    .option('--by-group', 'Write one file for each group.')
    .option('--group <group>', 'Import only this group (name or id). Repeatable.', collect)
    .option('--antivirus', 'Write "antivirus: installed" for hosts that have the anti-virus.')
    .observed('Import this snapshot of the fleet. Needs no credentials.')
    .option(
      '--schema <path>',
      'Write a comment that makes editors use this JSON Schema (default: schema/fleet.schema.json if it exists).',
    )
    .option('--force', 'Overwrite existing files.')
    .option('--raw', 'With --format csv, do not escape cells that spreadsheets read as formulas.')
    .examples(
      'rampart import --out live.yaml --antivirus',
      'rampart import --by-group --out=sites',
      'rampart import --group -1 --format csv > ungrouped.csv',
      'rampart import --format hcl --out hosts.tf',
      'rampart import --format cdktf --out fleet-stack.ts',
      'rampart import new -f fleet.yaml',
    )
    .prints('yaml', 'csv', 'hcl', 'cdktf')
    .runs('each', async () => (await import('../commands/import.ts')).importFleetCommand);
  addImportNew(importCommand);
  addImportIds(importCommand);
  addImportDrift(importCommand);
}

function addImportNew(importCommand: CliCommand): void {
  importCommand
    .command('new')
    .desiredFiles()
    .description('Add the hosts that have no entry to the desired state.')
    .option('--into <file>', 'Add the hosts to this file (default: the last one).')
    .option('--antivirus', 'Write "antivirus: installed" for hosts that have the anti-virus.')
    .observed()
    .option('--dry-run', 'Show what would be added without writing it.')
    .examples('rampart import new -f fleet.yaml', 'rampart import new --dry-run')
    .runs('one', async () => (await import('../commands/import-new.ts')).importNew);
}

function addImportIds(importCommand: CliCommand): void {
  importCommand
    .command('ids')
    .desiredFiles()
    .description(
      'Write ids into entries that refer to a host by name or by key, and replace the ids of deleted hosts.',
    )
    .observed()
    .option('--dry-run', 'Show what would be written without writing it.')
    .examples('rampart import ids', 'rampart import ids -f fleet/ --dry-run')
    .runs('one', async () => (await import('../commands/import-ids.ts')).importIds);
}

function addImportDrift(importCommand: CliCommand): void {
  importCommand
    .command('drift')
    .desiredFiles()
    .argument('[hosts...]', 'Ids, names or expressions (default: every host that drifted).')
    .description('Write changes that people made in the fleet into the desired state.')
    .observed()
    .option('--since <file>', 'Compare with this plan or snapshot (default: the fleet after the last run).')
    .option('--dry-run', 'Show what would be written as a patch without writing it.')
    .examples('rampart import drift --dry-run', 'rampart import drift PC-31 200')
    .runs('one', async () => (await import('../commands/import-drift.ts')).importDrift);
}

function addInit(program: CliCommand): void {
  program
    .command('init')
    .description(
      'Create a folder with a desired state, a configuration, a schema for editors and, on request, a pipeline.',
    )
    .option('--dir <folder>', 'Create the files in this folder (default: the current folder).')
    .addOption(
      new Option(
        '--from <example>',
        'Copy an example: accounts, names, register, rules-and-policies, server, spreadsheet or typescript.',
      ).conflicts(['fromFleet', 'github', 'gitlab', 'azure']),
    )
    .option('--base-url <url>', 'Service URL.')
    .option('--company-id <id>', 'Company ID of the account, as shown in its API settings.')
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
      'GitHub Action that the workflows use, as OWNER/REPOSITORY@COMMIT (default: that of this release).',
    )
    .option(
      '--archive <address>',
      'Release archive that the GitLab jobs download, as ADDRESS#sha256=CHECKSUM.',
    )
    .option('--force', 'Replace files of the pipeline that have different content.')
    .option('--yes', 'Accept the defaults without prompting.')
    .examples(
      'rampart init --gitlab --base-url https://remote.example.com --company-id 1234567890 --from-fleet --yes',
      'rampart init --github --emulator --yes --action acme/rampart@0123456789abcdef0123456789abcdef01234567',
      'rampart init --dir berlin --base-url https://remote.example.com --company-id 1234567890 --yes',
      'rampart init --dir trial --emulator --from-fleet --yes',
      'rampart init --from rules-and-policies --dir trial',
    )
    .runs('none', async () => (await import('../commands/init.ts')).init);
}
