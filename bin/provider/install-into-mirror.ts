import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { providerAddress } from '../../src/terraform/provider/address.ts';
import { launcherName } from './build-provider.ts';
import { oldestNode } from './node-on-path.ts';
import { Refusal } from './refusal.ts';
import { sha256, sumsName, versioned, zipName } from './release.ts';

/** What goes into a mirror: which version of it, for which platform. */
export interface Installed {
  readonly version: string;
  readonly target: string;
}

/**
 * Puts the built provider into a filesystem mirror, unpacked, where Terraform finds it; gives its folder. The script is
 * started by `node` if it is given, instead of by the Node on the PATH.
 */
export function installProvider(
  built: string,
  mirror: string,
  { version, target }: Installed,
  node: string | null = null,
): string {
  return putInto(mirror, { version, target }, (home) => {
    cpSync(built, home, { recursive: true });
    if (node !== null) startWith(node, join(home, launcherName));
    for (const name of readdirSync(home))
      if (name.startsWith(launcherName)) renameSync(join(home, name), join(home, versioned(name, version)));
  });
}

/** Linux reads no more of the first line of a script, and splits it at spaces. */
const longestNode = 120;

function startWith(node: string, launcher: string): void {
  if (/\s/.test(node) || node.length > longestNode)
    throw new Refusal(
      `the provider can't be started by ${node}, because the path has a space or is too long: put Node ${oldestNode} or newer on the PATH, or install with --executable.`,
    );
  const [, ...code] = readFileSync(launcher, 'utf8').split('\n');
  writeFileSync(launcher, [`#!${node}`, ...code].join('\n'));
}

/** The same from the folder of a release, whose checksums are compared first. */
export function installRelease(release: string, mirror: string, { version, target }: Installed): string {
  const files = checkedZip(release, { version, target });
  return putInto(mirror, { version, target }, (home) => {
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), bytes);
      if (name.startsWith(launcherName)) chmodSync(join(home, name), 0o755);
    }
  });
}

function checkedZip(release: string, { version, target }: Installed): Readonly<Record<string, Uint8Array>> {
  const name = zipName(version, target);
  const sums = join(release, sumsName(version));
  if (!existsSync(sums))
    throw new Refusal(`${release} is no release of version ${version}: it has no ${sumsName(version)}.`);
  const line = readFileSync(sums, 'utf8')
    .split('\n')
    .find((each) => each.endsWith(`  ${name}`));
  if (line === undefined || !existsSync(join(release, name)))
    throw new Refusal(`the release in ${release} has nothing for ${target}: it has no ${name}.`);
  const bytes = readFileSync(join(release, name));
  if (!line.startsWith(`${sha256(bytes)} `))
    throw new Refusal(`${name} is not the file that ${sumsName(version)} names: get the release again.`);
  const files = unzipSync(bytes);
  const strange = Object.keys(files).find(
    (each) => each.split(/[\\/]/).includes('..') || /^(?:[\\/]|[a-z]:)/i.test(each),
  );
  if (strange !== undefined) throw new Refusal(`${name} wants to write outside of its folder: ${strange}`);
  return files;
}

/** Terraform hashes the whole folder, so nothing of an older one may be left; if this fails, the older one is kept. */
function putInto(mirror: string, { version, target }: Installed, fill: (home: string) => void): string {
  const home = join(mirror, providerAddress, version, target);
  const next = join(mirror, providerAddress, version, `.${target}`);
  try {
    rmSync(next, { recursive: true, force: true });
    mkdirSync(next, { recursive: true });
    fill(next);
    rmSync(home, { recursive: true, force: true });
    renameSync(next, home);
    return home;
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (existsSync(next)) rmSync(next, { recursive: true });
    throw new Refusal(`cannot write the mirror ${mirror}: ${reasons[code] ?? code} (${path ?? home}).`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'you have no permission',
  EPERM: 'you have no permission',
  EROFS: 'it is on a read-only disk',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
};
