import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { inChunks } from '../../../core/lib/in-chunks.ts';

export interface FileAccess {
  /** The permissions of the new file, such as 0o600; those of the process by default. */
  readonly mode?: number;
}

/** Replaces a whole file, or rejects and leaves the old one unchanged. */
export async function replaceFile(
  path: string,
  text: string | Uint8Array | Iterable<string>,
  { mode }: FileAccess = {},
): Promise<void> {
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
