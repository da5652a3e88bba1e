import { Option } from 'commander';
import { countOption, durationOption, valueReader } from '../shell/settings.ts';
import type { CliCommand, Commands } from './cli-command.ts';

/** The commands for the records of runs. */
export const stateCommands: Commands = { state: addState };

function addState(program: CliCommand): void {
  const state = program
    .command('state')
    .description(
      'Show, export, import, prune, unlock and audit the state of runs: a folder, or a database that machines share.',
    )
    .examples(
      'rampart state show',
      'rampart state migrate',
      'rampart state export > state.ndjson',
      'rampart state import state.ndjson',
      'rampart state prune --max-run-age 90d --dry-run',
    );
  state
    .command('show')
    .description('Show where the state is, and who holds a lock.')
    .runs('one', async () => (await import('../commands/state.ts')).showState);
  state
    .command('migrate')
    .description('Create the tables in the database of RAMPART_STATE_URL, or bring them up to date.')
    .runs('one', async () => (await import('../commands/state.ts')).migrateState);
  state
    .command('export')
    .description(
      'Print the state as NDJSON: the runs, the fleet after the last run of each account, and the audit log.',
    )
    .runs('one', async () => (await import('../commands/state.ts')).printState);
  state
    .command('import')
    .argument('<file>', 'File written by rampart state export.')
    .description('Add an exported state to this one.')
    .runs('one', async () => (await import('../commands/state.ts')).readStateFile);
  state
    .command('prune')
    .description('Remove old runs. Keeps the latest run of each account, and the audit log.')
    .addOption(
      new Option('--max-run-age <time>', 'Remove runs older than this, for example 90d.')
        .argParser(durationOption)
        .makeOptionMandatory(),
    )
    .option('--dry-run', 'Show what would be removed without removing it.')
    .runs('one', async () => (await import('../commands/state.ts')).pruneState);
  addUnlock(state);
  addAudit(state);
}

function addUnlock(state: CliCommand): void {
  state
    .command('unlock')
    .description('Remove the lock that a run left behind.')
    .option(
      '--reason <text>',
      'Record this reason in the audit log. Required unless RAMPART_RUN_REASON is set.',
    )
    .examples('rampart state unlock --reason "the job was cancelled"')
    .runs('one', async () => (await import('../commands/unlock.ts')).unlock);
}

/** Adds the commands for the audit log. */
function addAudit(state: CliCommand): void {
  const audit = state
    .command('audit')
    .description('List, export or verify the audit log of runs, approvals, unlocks and migrations.')
    .examples(
      'rampart state audit list',
      'rampart state audit export > audit.ndjson',
      'rampart state audit verify --json',
    );
  audit
    .command('list')
    .description('List the records, latest first.')
    .option('--limit <count>', 'List at most this many records (default: 50).', countOption(1))
    .option('--all', 'List all records.')
    .runs('one', async () => (await import('../commands/audit.ts')).listAudit);
  audit
    .command('export')
    .description('Print all records with their hashes as NDJSON.')
    .runs('one', async () => (await import('../commands/audit.ts')).exportAudit);
  audit
    .command('verify')
    .description(
      'Check that no record was changed, removed or added, that a signed head covers the log, and that runs are as they were recorded. Prints the hash of the last record, and what the check cannot detect.',
    )
    .option('--head <hash>', 'Also check that the record with this hash is still there.', readHash)
    .option(
      '--public-key <file>',
      'Accept signatures of the keys in this file (default: those in RAMPART_AUDIT_KEY_FILE).',
    )
    .runs('one', async () => (await import('../commands/audit.ts')).verifyAuditCommand);
}

const readHash = valueReader(
  (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined),
  'a hash that rampart state audit verify printed: 64 digits',
);
