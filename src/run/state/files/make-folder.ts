import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../../core/lib/error-code.ts';

/**
 * Creates a folder and the missing folders above it. Returns the first one that was missing. Node's own recursive function
 * never ends below /proc, and reports a read-only disk as a missing file.
 */
export function makeFolder(path: string, mode?: number): string | undefined {
  const above = dirname(path);
  if (made(path, mode, above !== path)) return path;
  if (isFolder(path)) return undefined;
  const first = makeFolder(above, mode);
  // Another process may have created it in the meantime.
  return made(path, mode, false) ? (first ?? path) : first;
}

/** False if the folder is there, or if the folder above it is missing and that is no failure yet. */
function made(path: string, mode: number | undefined, mayLackParent: boolean): boolean {
  try {
    mkdirSync(path, mode);
    return true;
  } catch (error) {
    if (isFolder(path) || (mayLackParent && codeOf(error) === 'ENOENT')) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
