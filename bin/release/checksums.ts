import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../provider/release.ts';

/** The lines of SHA256SUMS for the files of a release, as `sha256sum --check` reads them. */
export function checksumsOf(folder: string): string {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('SHA256SUMS'))
    .toSorted()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`)
    .join('');
}
