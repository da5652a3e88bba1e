import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../core/lib/hash.ts';
import type { Account } from '../../core/model/account.ts';
import { makeFolder } from '../../run/state/files/replace-file.ts';

const maxFiles = 50;
const maxAgeMs = 7 * 24 * 60 * 60 * 1000;

/** The folder for the plans of one account: in the state folder, or in a private folder for temporary files. */
export function accountPlansFolder(
  { companyId, service }: Account,
  { stateDir, temporaryFolder }: { readonly stateDir: string | null; readonly temporaryFolder: string },
): string {
  const base = stateDir ?? join(temporaryFolder, `rampart-${userName()}`);
  return join(base, 'terraform-plans', sha256Hex(`${service}\n${companyId ?? ''}`).slice(0, 16));
}

function userName(): string {
  return process.getuid === undefined ? userInfo().username : String(process.getuid());
}

/** A plan file is trusted, so no other user may own its folder. */
export function openFolder(folder: string, extension: string): void {
  makeFolder(folder, 0o700);
  if (!isOurs(folder)) throw new Error('another user owns the folder');
  const oldestMs = Date.now() - maxAgeMs;
  const files = plansIn(folder, extension).toSorted((one, other) => other.writtenAt - one.writtenAt);
  for (const [index, { path, writtenAt }] of files.entries())
    if (index >= maxFiles || writtenAt < oldestMs) rmSync(path, { force: true });
}

export function isOurs(folder: string): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
}

/** The files of one kind. Other processes may remove some of them at any moment. */
export function plansIn(folder: string, extension: string) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name))
    .flatMap((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? [] : [{ path, writtenAt: found.mtimeMs }];
    });
}
