import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { selectAccounts } from '../../accounts/config/select-accounts.ts';
import { type TouchedAccount, touchedAccounts } from '../../accounts/config/touched-accounts.ts';
import { printable } from '../../core/lib/printable.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import { count } from '../../output/review/count.ts';
import type { Context } from '../shell/context.ts';
import { changedFiles } from './changed-files.ts';

/**
 * The accounts that `--account` and `--accounts` select, or all with only `--changed-since`; null without these flags.
 * With `--changed-since`, only those that the changed files touch, which may be none.
 */
export async function selectedAccounts(context: Context): Promise<Result<readonly AccountConfig[] | null>> {
  const { io, settings } = context;
  const { accountNames: names, accountsWhere: where, changedSince } = settings;
  if (names.length === 0 && where === undefined && changedSince === undefined) return ok(null);
  const file = await readAccounts({ folder: io.cwd, env: io.env });
  if (!file.ok) return file;
  const everyone = names.length === 0 && where === undefined ? 'true' : where;
  const selector = { names, ...(everyone === undefined ? {} : { where: everyone }) };
  const selected = selectAccounts(file.value, selector);
  return selected.ok && changedSince !== undefined
    ? touched(context, selected.value, changedSince)
    : selected;
}

async function touched(
  context: Context,
  accounts: readonly AccountConfig[],
  revision: string,
): Promise<Result<readonly AccountConfig[]>> {
  const changed = await changedFiles(revision, context.io);
  if (!changed.ok) return changed;
  const found = touchedAccounts(accounts, changed.value);
  context.log(touchedWords(found, accounts.length, revision));
  return ok(found.map(({ account }) => account));
}

/** Says which file touches which accounts: one line for each file. */
function touchedWords(found: readonly TouchedAccount[], selected: number, revision: string): string {
  const byFile = Map.groupBy(found, ({ because }) => because);
  const lines = [...byFile].map(([file, those]) => {
    const names = those.slice(0, 5).map(({ account }) => account.name);
    const more = those.length > names.length ? ` and ${those.length - names.length} more` : '';
    return `  ${printable(file)}: ${names.join(', ')}${more}`;
  });
  const head = `The files changed since ${printable(revision)} touch ${found.length} of ${count(selected, 'account')}.`;
  return [head, ...lines].join('\n');
}
