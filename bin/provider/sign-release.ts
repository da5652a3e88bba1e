import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';

/**
 * Signs the checksums of a release with a key of GnuPG, in the binary form that registries expect, and verifies the
 * signature. Returns the name of its file.
 */
export function signRelease(release: string, sums: string, key: string): string {
  const file = join(release, sums);
  if (!existsSync(file)) throw new Refusal(`${release} is no release: it has no ${sums}.`);
  rmSync(`${file}.sig`, { force: true });
  gpg(['--local-user', key, '--output', `${file}.sig`, '--detach-sign', file], key);
  gpg(['--verify', `${file}.sig`, file], key);
  return `${sums}.sig`;
}

function gpg(args: readonly string[], key: string): void {
  // GnuPG's agent asks for a passphrase, so it never passes through here.
  const { status, stderr, error } = spawnSync('gpg', ['--yes', ...args], {
    encoding: 'utf8',
    stdio: ['inherit', 'ignore', 'pipe'],
  });
  if (error !== undefined)
    throw new Refusal('gpg is not on the PATH: install GnuPG to sign the checksums of a release.');
  if (status !== 0)
    throw new Refusal(`gpg can't sign the checksums with the key ${JSON.stringify(key)}:\n${stderr.trim()}`);
}
