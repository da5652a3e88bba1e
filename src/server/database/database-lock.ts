import { DatabaseSync } from 'node:sqlite';

/** A lock that the operating system takes from a process when it ends, however it ends. */
export interface DatabaseLock {
  release(): void;
}

/** Takes the lock in a file; undefined if another process has it. */
export function lockDatabase(file: string): DatabaseLock | undefined {
  const lock = new DatabaseSync(file);
  try {
    lock.exec('begin exclusive');
    return { release: () => lock.close() };
  } catch (error) {
    lock.close();
    // SQLITE_BUSY
    if ((error as { readonly errcode?: number }).errcode === 5) return undefined;
    throw error;
  }
}
