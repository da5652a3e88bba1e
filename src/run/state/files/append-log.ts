import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type GroupCommit, startGroupCommit } from '../journal/group-commit.ts';
import { makeFolder } from './replace-file.ts';

/** An append-only file. Lines that wait together share one write, and one fsync if any of them requires it. */
export interface AppendLog extends Pick<GroupCommit<string>, 'commit' | 'append'> {
  close(): Promise<void>;
}

/** The required methods of an open file. */
export interface LogFile {
  appendFile(text: string): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `fence` is called before each write that must reach the disk. If it throws, the log is broken from then on. Tests give it
 * other files than those of the disk.
 *
 * @public
 */
export function startLog(file: LogFile, fence: () => Promise<void> = async () => {}): AppendLog {
  const { commit, append, idle } = startGroupCommit<string>(async (lines, durable) => {
    if (durable) await fence();
    await file.appendFile(lines.map((line) => `${line}\n`).join(''));
    if (durable) await file.datasync();
  });
  return {
    commit,
    append,
    async close() {
      await idle();
      await file.close();
    },
  };
}

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
