import { countOption, valueReader } from '../shell/option-values.ts';
import type { Register } from '../shell/register.ts';
import type { CliCommand } from './cli-command.ts';

/** Adds the commands for the audit log. */
export function addAudit(state: CliCommand, register: Register): void {
  const audit = state
    .command('audit')
    .description('List, export or verify the audit log of runs, approvals, unlocks and migrations.')
    .examples(
      'rampart state audit list',
      'rampart state audit export > audit.ndjson',
      'rampart state audit verify --json',
    );
  const list = audit
    .command('list')
    .description('List the records, latest first.')
    .option('--limit <count>', 'List at most this many records (default: 50).', countOption(1, 999_999_999))
    .option('--all', 'List all records.');
  register(list, 'one', async () => (await import('../commands/audit.ts')).listAudit);
  const exported = audit.command('export').description('Print all records with their hashes as NDJSON.');
  register(exported, 'one', async () => (await import('../commands/audit.ts')).exportAudit);
  const verify = audit
    .command('verify')
    .description(
      'Check that no record was changed, removed or added, that a signed head covers the log, and that runs are as they were recorded. Prints the hash of the last record, and what the check cannot detect.',
    )
    .option('--head <hash>', 'Also check that the record with this hash is still there.', readHash)
    .option(
      '--public-key <file>',
      'Accept signatures of the keys in this file (default: those in RAMPART_AUDIT_KEY_FILE).',
    );
  register(verify, 'one', async () => (await import('../commands/audit.ts')).verifyAuditCommand);
}

const readHash = valueReader(
  (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined),
  'a hash that rampart state audit verify printed: 64 digits',
);
