import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { launcherName } from './build-provider.ts';

/** A platform, and the folder with its build: the script, or an executable. */
export interface Built {
  readonly target: string;
  readonly folder: string;
}

const unix = 3;

/** Writes a release as the registry and mirrors want it; gives the names of its files. */
export function writeRelease(folder: string, version: string, built: readonly Built[]): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = [
    ...built.map(({ target, folder: from }) => ({
      name: zipName(version, target),
      bytes: zipSync(zippable(from, version)),
    })),
    {
      name: `${launcherName}_${version}_manifest.json`,
      bytes: Buffer.from(
        `${JSON.stringify({ version: 1, metadata: { protocol_versions: ['6.0'] } }, null, 2)}\n`,
      ),
    },
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes);
  const sums = files.map(({ name, bytes }) => `${sha256(bytes)}  ${name}\n`).join('');
  writeFileSync(join(folder, sumsName(version)), sums);
  return [...files.map(({ name }) => name), sumsName(version)];
}

export function zipName(version: string, target: string): string {
  return `${launcherName}_${version}_${target}.zip`;
}

export function sumsName(version: string): string {
  return `${launcherName}_${version}_SHA256SUMS`;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The name that Terraform starts. */
export function versioned(name: string, version: string): string {
  return name.startsWith(launcherName) ? name.replace(launcherName, `${launcherName}_v${version}`) : name;
}

function zippable(folder: string, version: string): Zippable {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();
  // The same bytes for the same files, whenever and wherever it is made: ZIP keeps the local time.
  const mtime = new Date(1980, 0, 1);
  return Object.fromEntries(
    names.map((name) => {
      const mode = name.startsWith(launcherName) ? 0o100755 : 0o100644;
      const options = { mtime, os: unix, attrs: mode * 0x10000 };
      return [versioned(name, version), [readFileSync(join(folder, name)), options]];
    }),
  );
}
