import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Why `npm ci` has to run, or null if the installed packages match the lock file. npm writes its own record into
 * `node_modules` as the last act of an install, so an interrupted one counts as none. Contents are compared, not times:
 * changing branches touches files without changing them.
 */
export function reasonToInstall(folder, pinnedNode) {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return 'node_modules is missing';
  const installed = packagesIn(join(modules, '.package-lock.json'));
  if (installed === null) return 'node_modules is incomplete';
  const locked = packagesIn(join(folder, 'package-lock.json'));
  if (locked === null) return null;
  for (const [path, entry] of Object.entries(locked)) {
    if (path === '' || entry.link) continue;
    const found = installed[path];
    // An optional package may be for another platform.
    if (found === undefined && entry.optional) continue;
    if (found === undefined || found.version !== entry.version || differ(found.integrity, entry.integrity)) {
      return 'node_modules is not what package-lock.json says';
    }
  }
  return existsSync(pinnedNode) ? null : 'the pinned Node is missing';
}

function differ(a, b) {
  return a !== undefined && b !== undefined && a !== b;
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}
