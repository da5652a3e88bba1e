import { posix } from 'node:path';
import { mayBeRead } from '../../input/sources/read-endings.ts';
import type { AccountConfig } from './account-config.ts';
import { configFileName } from './config-folder.ts';

export interface TouchedAccount {
  readonly account: AccountConfig;
  /** A changed file that touches the account. */
  readonly because: string;
}

/** What an account without `files` reads. */
const usualFiles = ['fleet.yaml', 'fleet.ts', 'fleet'];
const neverRead = /(?:^|\/)\.|\.rampart-test\.ya?ml$/i;

/**
 * The accounts whose desired state the changed files can change, in their order. A file of the configuration touches its
 * accounts, and a shared file each account that names it. A table or module that no account lists touches all accounts,
 * because any listed file may read it. Paths are relative to the folder of the configuration.
 */
export function touchedAccounts(
  accounts: readonly AccountConfig[],
  changed: readonly string[],
): readonly TouchedAccount[] {
  const lists = accounts.map(({ files, place }) => ({
    own: place.file,
    files: listOf(files),
  }));
  const isListed = (path: string) =>
    lists.some(({ own, files }) => own === path || files.some((file) => covers(file, path)));
  const common = changed.find((path) => path === configFileName || (isShared(path) && !isListed(path)));
  return accounts.flatMap((account, index) => {
    const { own, files } = lists[index] as (typeof lists)[number];
    const isOwn = (path: string) =>
      (path === own && own !== configFileName) || files.some((file) => covers(file, path));
    const because = changed.find(isOwn) ?? common;
    return because === undefined ? [] : [{ account, because }];
  });
}

/** Whether one of the accounts lists the file, or a folder above it. */
export function isListedBy(accounts: readonly Pick<AccountConfig, 'files'>[], path: string): boolean {
  return accounts.some(({ files }) => listOf(files).some((file) => covers(file, posix.normalize(path))));
}

function listOf(files: readonly string[]): readonly string[] {
  return (files.length === 0 ? usualFiles : files).map((file) => posix.normalize(file).replace(/\/$/, ''));
}

function covers(file: string, path: string): boolean {
  return file === '.' || path === file || path.startsWith(`${file}/`);
}

/** A table or a module is not in the list of any account, but the files of many may name it. */
function isShared(path: string): boolean {
  return mayBeRead(path) && !neverRead.test(path);
}
