import { startGroupCommit } from '../journal/group-commit.ts';

/** A file that only grows. Lines that wait together share one write, and one fsync where one of them asks for it. */
export interface AppendLog {
  /** Resolves when the line is on disk; rejects when it can't be written. */
  sync(line: string): Promise<void>;
  /** Resolves when the line is written; it is on disk with the next line that asks for it. */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

/** What is needed of an open file. */
export interface LogFile {
  appendFile(text: string): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** `fence` is asked before each write with a line that has to be on disk; what it throws breaks the log for good. */
export function startLog(file: LogFile, fence: () => Promise<void> = async () => {}): AppendLog {
  const { commit, append, idle } = startGroupCommit<string>(async (lines, durable) => {
    if (durable) await fence();
    await file.appendFile(lines.map((line) => `${line}\n`).join(''));
    if (durable) await file.datasync();
  });
  return {
    sync: commit,
    append,
    async close() {
      await idle();
      await file.close();
    },
  };
}
