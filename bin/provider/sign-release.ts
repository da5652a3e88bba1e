import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';
import { sumsName } from './release.ts';

/**
 * Signs the checksums of a release with a key of GnuPG, in the binary form that registries expect, and verifies the
 * signature. Returns the name of its file.
 */
export function signRelease(release: string, version: string, key: string): string {
  const sums = join(release, sumsName(version));
  if (!existsSync(sums))
    throw new Refusal(`${release} is no release of version ${version}: it has no ${sumsName(version)}.`);
  const signature = `${sums}.sig`;
  rmSync(signature, { force: true });
  gpg(['--local-user', key, '--output', signature, '--detach-sign', sums], key);
  gpg(['--verify', signature, sums], key);
  return `${sumsName(version)}.sig`;
}

function gpg(args: readonly string[], key: string): void {
  // A passphrase is asked for by the agent of GnuPG, so it never passes through here.
  const { status, stderr, error } = spawnSync('gpg', ['--yes', ...args], {
    encoding: 'utf8',
    stdio: ['inherit', 'ignore', 'pipe'],
  });
  if (error !== undefined)
    throw new Refusal('gpg is not on the PATH: install GnuPG to sign the checksums of a release.');
  if (status !== 0)
    throw new Refusal(`gpg can't sign the checksums with the key ${JSON.stringify(key)}:\n${stderr.trim()}`);
}
