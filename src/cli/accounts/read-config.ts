import type { AccountConfig, KeySource } from '../../accounts/config/account-config.ts';
import { noAccounts, readAccounts } from '../../accounts/config/read-accounts.ts';
import { selectAccounts } from '../../accounts/config/select-accounts.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { Context } from '../shell/context.ts';

/** The accounts that the selectors choose; all accounts without a selector. */
export async function chosenAccounts({ io, settings }: Context): Promise<Result<readonly AccountConfig[]>> {
  const file = await readAccounts({ folder: io.cwd, env: io.env });
  if (!file.ok) return file;
  const { accountNames: names, accountsWhere: where } = settings;
  if (file.value.accounts.length === 0) return failed(noAccounts(file.value.isReviewed));
  if (names.length === 0 && where === undefined) return ok(file.value.accounts);
  return selectAccounts(file.value, { names, ...(where === undefined ? {} : { where }) });
}

/** The location of a key in a few words; never the key, nor the arguments of a command. */
export function keyWords(key: KeySource | undefined): string {
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
