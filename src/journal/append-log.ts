import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that only grows. Lines that wait together share one write and one fsync. */
export interface AppendLog {
  /** Resolves when the line is on disk; rejects when it can't be written. */
  sync(line: string): Promise<void>;
  close(): Promise<void>;
}

/** Creates the file, for its owner only; fails when it is there already. */
export async function createAppendLog(path: string): Promise<AppendLog> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'ax', 0o600);
  return startLog(file);
}

function startLog(file: FileHandle): AppendLog {
  let pending: { readonly line: string; readonly settle: (error: unknown) => void }[] = [];
  let writing: Promise<void> | undefined;

  const flush = async (): Promise<void> => {
    while (pending.length > 0) {
      const group = pending;
      pending = [];
      let failure: unknown;
      try {
        await file.appendFile(group.map(({ line }) => `${line}\n`).join(''));
        await file.datasync();
      } catch (error) {
        failure = error;
      }
      for (const { settle } of group) settle(failure);
    }
    writing = undefined;
  };

  return {
    sync: (line) =>
      new Promise((resolve, reject) => {
        pending.push({ line, settle: (error) => (error === undefined ? resolve() : reject(error)) });
        writing ??= Promise.resolve().then(flush);
      }),
    async close() {
      await writing;
      await file.close();
    },
  };
}
