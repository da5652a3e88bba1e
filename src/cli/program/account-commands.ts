import { InvalidArgumentError, Option } from 'commander';
import { collect } from '../shell/settings.ts';
import type { CliCommand, Commands } from './cli-command.ts';

/** The commands for the accounts of rampart.config.yaml. */
export const accountCommands: Commands = { accounts: addAccounts };

function addAccounts(program: CliCommand): void {
  const accounts = program
    .command('accounts')
    .description('List, check, add and import the accounts of rampart.config.yaml.')
    .examples(
      'rampart accounts list',
      `rampart accounts list --accounts 'region == "eu"' --json`,
      'rampart accounts show berlin',
      'rampart accounts check --parallel 8',
      'rampart accounts add berlin --company-id 1234567890 --key-variable BERLIN_PSK --label region=eu',
      'rampart accounts import accounts.csv --dry-run',
    );
  accounts
    .command('list')
    .description('List the accounts, or those that --account and --accounts select. Sends nothing.')
    .prints('csv')
    .runs('none', async () => (await import('../commands/accounts-list.ts')).listAccounts);
  accounts
    .command('show')
    .argument('<account>', 'Name of the account.')
    .description(
      'Show the settings of an account, and where each was written. Prints no key and sends nothing.',
    )
    .runs('none', async () => (await import('../commands/accounts-list.ts')).showAccount);
  accounts
    .command('check')
    .description(
      'Read the key of each account, and check it with one GET request. Lists the accounts that fail.',
    )
    .runs('none', async () => (await import('../commands/accounts-check.ts')).checkAccounts);
  withKeyFlags(accounts.command('add'))
    .argument('<account>', 'Name of the new account.')
    .description('Add an account to rampart.config.yaml, or write it to an account file.')
    .addOption(new Option('--company-id <id>', 'Company ID of the account.').makeOptionMandatory())
    .option('--base-url <url>', 'Address of the service of the account (default: the one in "defaults").')
    .option('--label <label>', 'Add this label, such as region=eu. Repeatable.', collectLabel)
    .option('--desired <file>', 'Add this desired-state file or folder. Repeatable.', collect)
    .option('--to <file>', 'Write a file that "include" matches, such as accounts/berlin/account.yaml.')
    .option('--dry-run', 'Show what would be written without writing it.')
    .runs('none', async () => (await import('../commands/accounts-add.ts')).addAccount);
  accounts
    .command('import')
    .argument(
      '<file>',
      'CSV file with the columns name, companyId, baseUrl, keyVariable, keyFile and label:….',
    )
    .description('Add an account to rampart.config.yaml for each row of a table.')
    .option('--dry-run', 'Show which accounts would be added without writing them.')
    .runs('none', async () => (await import('../commands/accounts-add.ts')).importAccounts);
}

function withKeyFlags(command: CliCommand): CliCommand {
  return command
    .addOption(
      new Option('--key-variable <variable>', 'Environment variable that holds the key.').conflicts(
        'keyFile',
      ),
    )
    .option('--key-file <file>', 'File that holds the key.');
}

function collectLabel(text: string, earlier: readonly string[] = []): readonly string[] {
  if (/^[^=]+=./.test(text)) return [...earlier, text];
  throw new InvalidArgumentError('It must be a label and its value, such as region=eu.');
}
