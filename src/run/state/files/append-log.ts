import { startGroupCommit } from '../journal/group-commit.ts';

/** An append-only file. Lines that wait together share one write, and one fsync if any of them requires it. */
export interface AppendLog {
  /** Resolves when the line is on disk; rejects if it can't be written. */
  sync(line: string): Promise<void>;
  /** Resolves when the line is written. The next line that requires fsync makes it durable. */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

/** The required methods of an open file. */
export interface LogFile {
  appendFile(text: string): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** `fence` is called before each write that must reach the disk. If it throws, the log is broken from then on. */
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
