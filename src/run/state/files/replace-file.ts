import { randomBytes } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { chmod, chown, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../../core/lib/error-code.ts';
import { inChunks } from '../../../core/lib/in-chunks.ts';

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

export interface FileAccess {
  /** The permissions of the new file, such as 0o600; those of the process by default. */
  readonly mode?: number;
  /** The owner and the group of the new file, if this process may set them. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * Replaces a whole file, or rejects and leaves the old one unchanged. A symbolic link is replaced, and never followed.
 * A device, a pipe or a socket, such as /dev/null, is not replaced.
 */
export async function replaceFile(
  path: string,
  text: string | Uint8Array | Iterable<string>,
  { mode, owner }: FileAccess = {},
): Promise<void> {
  const old = await lstat(path).catch(() => undefined);
  if (old !== undefined && !old.isFile() && !old.isSymbolicLink() && !old.isDirectory())
    throw Object.assign(new Error('not a regular file'), { code: 'not a regular file' });
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const content = typeof text === 'string' || text instanceof Uint8Array ? text : inChunks(text);
    await writeFile(draft, content, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    if (owner !== undefined)
      await chown(draft, owner.uid, owner.gid).catch(() =>
        chown(draft, -1, owner.gid).catch(() => undefined),
      );
    // The mode of a new file depends on the umask.
    if (mode !== undefined) await chmod(draft, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}
