import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What other commands build into the same folder: the provider and its release, the release, and the site. */
const others = new Set(['provider', 'release', 'site']);

/** Removes an earlier build of the package, whose files would be published with the next one. Releases are kept. */
export function clearPackage(dist: string): void {
  for (const name of existsSync(dist) ? readdirSync(dist) : [])
    if (!others.has(name)) rmSync(join(dist, name), { recursive: true });
}
