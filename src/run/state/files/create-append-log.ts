import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AppendLog, startLog } from './append-log.ts';
import { makeFolder } from './replace-file.ts';

/** Creates the file with access for its owner only; fails if it already exists. */
export async function createAppendLog(path: string, fence?: () => Promise<void>): Promise<AppendLog> {
  const folder = dirname(path);
  const firstMade = makeFolder(folder, 0o700);
  const file = await open(path, 'ax', 0o600);
  try {
    await syncFolder(folder);
    for (let made = folder; made.length >= (firstMade ?? path).length; made = dirname(made))
      await syncFolder(dirname(made));
    return startLog(file, fence);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A new file's name is part of its folder. Some systems can't sync a folder, and need not. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
