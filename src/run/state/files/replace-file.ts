import { randomBytes } from 'node:crypto';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { inChunks } from '../../../core/lib/in-chunks.ts';

export interface FileAccess {
  /** The permissions of the new file, such as 0o600; those of the process by default. */
  readonly mode?: number;
}

/**
 * Replaces a whole file, or rejects and leaves the old one unchanged. A symbolic link is replaced, and never followed.
 * A device, a pipe or a socket, such as /dev/null, is not replaced.
 */
export async function replaceFile(
  path: string,
  text: string | Uint8Array | Iterable<string>,
  { mode }: FileAccess = {},
): Promise<void> {
  const old = await lstat(path).catch(() => undefined);
  if (old !== undefined && !old.isFile() && !old.isSymbolicLink() && !old.isDirectory())
    throw Object.assign(new Error('not a regular file'), { code: 'not a regular file' });
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const content = typeof text === 'string' || text instanceof Uint8Array ? text : inChunks(text);
    await writeFile(draft, content, { flag: 'wx', ...(mode === undefined ? {} : { mode }) });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}
