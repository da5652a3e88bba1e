import type { AccountConfig, KeySource } from '../../accounts/config/account-config.ts';
import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { selectAccounts } from '../../accounts/config/select-accounts.ts';
import { printable } from '../../core/lib/printable.ts';
import { formatPlace } from '../../core/problem/problem.ts';
import type { Column } from '../../output/review/columns.ts';
import { layOut } from '../../output/review/table.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { chosenAccounts } from '../accounts/selected-accounts.ts';
import { printListing, printResult } from '../listing/print-listing.ts';
import type { Context } from '../shell/context.ts';

const columns: readonly Column<AccountConfig>[] = [
  { key: 'account', kind: 'name', value: ({ name }) => name },
  { key: 'company-id', heading: 'COMPANY', kind: 'fixed', value: ({ companyId }) => companyId ?? null },
  { key: 'mode', kind: 'fixed', value: ({ mode }) => mode },
  { key: 'labels', kind: 'name', value: ({ labels }) => labelWords(labels) },
  { key: 'key', kind: 'extra', value: ({ key }) => keyWords(key) },
  { key: 'service', kind: 'extra', value: ({ baseUrl }) => baseUrl ?? null },
];

function labelWords(labels: AccountConfig['labels']): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** The accounts with their labels, as a table, JSON or CSV. */
export async function listAccounts(context: Context): Promise<ExitCode> {
  const accounts = await chosenAccounts(context);
  if (!accounts.ok) return context.fail(accounts.problems);
  if (context.settings.format !== 'json') return printListing(context, accounts.value, columns);
  context.printJson({ format_version: '1.0', accounts: accounts.value.map(documentOf) });
  return exitCodes.success;
}

function documentOf({ name, companyId, baseUrl, key, files, labels, mode }: AccountConfig) {
  return {
    account: name,
    company_id: companyId ?? null,
    service: baseUrl ?? null,
    key: keyWords(key),
    files,
    labels,
    mode,
  };
}

/** One account: each setting, and the file and line where it was written. */
export async function showAccount(context: Context, _flags: unknown, name: string): Promise<ExitCode> {
  const file = await readAccounts({ folder: context.io.cwd, env: context.io.env });
  const chosen = file.ok ? selectAccounts(file.value, { names: [name] }) : file;
  if (!chosen.ok) return context.fail(chosen.problems);
  for (const account of chosen.value) {
    const rows = settingsOf(account);
    const document = {
      format_version: '1.0',
      ...documentOf(account),
      is_reviewed: account.isReviewed,
      settings: rows.map(([setting, value, from]) => ({ setting, value, from })),
    };
    const lines = rows.map((row) => row.map((text) => ({ text: printable(text) })));
    const widths = ['fixed', 'name', 'extra'] as const;
    const laid = layOut(lines, { columns: widths, indent: 0, width: context.io.stdout.columns });
    printResult(context, document, `${laid.join('\n')}\n`);
  }
  return exitCodes.success;
}

type SettingRow = readonly [setting: string, value: string, from: string];

function settingsOf(account: AccountConfig): readonly SettingRow[] {
  const { name, companyId, baseUrl, auth, key, files, labels, mode, limits, windows, place, places } =
    account;
  const at = (setting: string, usual: string) => {
    const written = places[setting];
    return written === undefined ? usual : formatPlace(written);
  };
  const row = (setting: string, value: string | undefined, usual: string): SettingRow => [
    setting,
    value ?? 'not set',
    at(setting, usual),
  ];
  return [
    ['name', name, formatPlace(place)],
    row('companyId', companyId, 'RAMPART_COMPANY_ID'),
    row('baseUrl', baseUrl, 'RAMPART_BASE_URL'),
    row('auth', auth ?? 'basic', 'default'),
    row('key', keyWords(key), 'RAMPART_PSK or RAMPART_PSK_FILE'),
    row('files', files.join(', ') || 'not set', 'the files of the folder'),
    row('mode', mode, 'default'),
    ...Object.entries(labels).map(([label, value]) => row(`labels.${label}`, value, 'default')),
    ...(Object.keys(limits).length === 0 ? [] : [row('limits', limitText(limits), 'default')]),
    ...(windows.length === 0 ? [] : [row('windows', windows.map((each) => each.name).join(', '), 'default')]),
  ];
}

function limitText(limits: AccountConfig['limits']): string {
  return Object.entries(limits)
    .map(([name, limit]) => `${name} ${limit.kind === 'count' ? limit.count : `${limit.percent}%`}`)
    .join(', ');
}

/** The location of a key in a few words; never the key, nor the arguments of a command. */
function keyWords(key: KeySource | undefined): string {
  switch (key?.kind) {
    case undefined:
      return 'environment';
    case 'variable':
      return `variable ${key.variable}`;
    case 'file':
      return `file ${key.file}`;
    case 'command':
      return `command ${key.command[0]}`;
    case 'vault':
      return `vault ${key.vault.mount}/${key.vault.path} (${key.vault.field})`;
    case 'session':
      return `session ${key.sessionIdVariable}`;
  }
}
