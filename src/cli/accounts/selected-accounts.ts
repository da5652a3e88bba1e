import { posix } from 'node:path';
import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { selectAccounts } from '../../accounts/config/select-accounts.ts';
import { type TouchedAccount, touchedAccounts } from '../../accounts/config/touched-accounts.ts';
import { defined } from '../../core/lib/defined.ts';
import { printable } from '../../core/lib/printable.ts';
import { count, firstFew, grouped, quoted } from '../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { git } from '../../run/state/origin/git.ts';
import { resolveCommit } from '../../run/state/origin/resolve-commit.ts';
import type { Context } from '../shell/context.ts';
import type { Io } from '../shell/io.ts';
import type { Settings } from '../shell/settings.ts';

/** Whether flags select accounts: `--account`, `--accounts` or `--changed-since`. */
export function isSelecting({ accountNames, accountsWhere, changedSince }: Settings): boolean {
  return accountNames.length > 0 || accountsWhere !== undefined || changedSince !== undefined;
}

/** The accounts that flags select; null without such a flag. */
export async function selectedAccounts(context: Context): Promise<Result<readonly AccountConfig[] | null>> {
  return isSelecting(context.settings) ? chosenAccounts(context) : ok(null);
}

/**
 * The accounts that `--account` and `--accounts` select, or all without both. With `--changed-since`, only those that the
 * changed files touch, which may be none.
 */
export async function chosenAccounts(context: Context): Promise<Result<readonly AccountConfig[]>> {
  const { io, settings } = context;
  const { accountNames: names, accountsWhere, changedSince } = settings;
  const file = await readAccounts({ folder: io.cwd, env: io.env });
  if (!file.ok) return file;
  const where = names.length === 0 ? (accountsWhere ?? 'true') : accountsWhere;
  const selected = selectAccounts(file.value, { names, ...defined({ where }) });
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
    const names = firstFew(those, 5, ({ account }) => account.name);
    return `  ${printable(file)}: ${names}`;
  });
  const head = `The files changed since ${printable(revision)} touch ${grouped(found.length)} of ${count(selected, 'account')}.`;
  return [head, ...lines].join('\n');
}

/** The files that differ between a Git revision and this checkout, relative to this folder. Deleted files count. */
async function changedFiles(
  revision: string,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
): Promise<Result<readonly string[]>> {
  const options = { cwd, env };
  const found = await resolveCommit(revision, {
    ...options,
    flag: '--changed-since',
    missing: noRevision(revision),
  });
  if (!found.ok) return found;
  const prefix = (await git(['rev-parse', '--show-prefix'], options))?.toString().replace(/\n$/, '');
  if (prefix === undefined) return failed(noRevision(revision));
  const compare = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const listed = await git([...compare, '--end-of-options', found.value, '--'], options);
  if (listed === undefined) return failed(noRevision(revision));
  const untracked = await git(['ls-files', '-z', '--others', '--exclude-standard', '--full-name'], options);
  const paths = [listed, untracked].flatMap((each) => each?.toString().split('\0') ?? []);
  const own = paths.filter((path) => path !== '').map((path) => posix.relative(`/${prefix}`, `/${path}`));
  return ok([...new Set(own)].sort());
}

function noRevision(revision: string) {
  return problem('usage', `--changed-since ${quoted(revision)} is not a Git revision`, {
    hint: 'use a branch, a tag or a commit; in a shallow clone, fetch it first: git fetch origin main',
  });
}
