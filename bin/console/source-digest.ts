import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** The inputs of the bundle. From other folders, the console imports only types. */
const sources = [
  'src/console',
  'src/output',
  'src/api/access',
  'src/core/lib',
  'bin/console',
  'bin/licenses-of.ts',
  'package-lock.json',
];

/** The same for the same sources of the console. */
export function consoleDigest(): string {
  return sourceDigest(sources);
}

/** The same for the same files and folders of the checkout. @public */
export function sourceDigest(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = join(root, source);
    const names = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted()
      : [''];
    for (const name of names) {
      const file = join(path, name);
      if (statSync(file).isFile()) hash.update(`${source}/${name}\0`).update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex').slice(0, 16);
}
