import type { AccountConfig } from '../../../control/accounts/account-config.ts';
import { readAccounts } from '../../../control/accounts/read-accounts.ts';
import { selectAccounts } from '../../../control/accounts/select-accounts.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import type { Context } from '../shell/context.ts';

/** The accounts that `--account` and `--accounts` select; null without these flags. */
export async function selectedAccounts({
  io,
  settings,
}: Context): Promise<Result<readonly AccountConfig[] | null>> {
  const { accountNames: names, accountsWhere: where } = settings;
  if (names.length === 0 && where === undefined) return ok(null);
  const file = await readAccounts({ folder: io.cwd, env: io.env });
  if (!file.ok) return file;
  return selectAccounts(file.value, { names, ...(where === undefined ? {} : { where }) });
}
