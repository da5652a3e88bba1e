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

interface Waiting {
  readonly line: string;
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function startLog(file: LogFile): AppendLog {
  let pending: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let broken: { readonly error: unknown } | undefined;

  const write = async (group: readonly Waiting[]): Promise<void> => {
    // What follows a line that was half written would be damaged with it.
    if (broken !== undefined) throw broken.error;
    try {
      await file.appendFile(group.map(({ line }) => `${line}\n`).join(''));
      if (group.some(({ durable }) => durable)) await file.datasync();
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  const flush = async (): Promise<void> => {
    while (pending.length > 0) {
      const group = pending;
      pending = [];
      await write(group).then(
        () => group.forEach(({ resolve }) => resolve()),
        (error: unknown) => group.forEach(({ reject }) => reject(error)),
      );
    }
    writing = undefined;
  };
  const enqueue = (line: string, durable: boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      pending.push({ line, durable, resolve, reject });
      writing ??= Promise.resolve().then(flush);
    });

  return {
    sync: (line) => enqueue(line, true),
    append: (line) => enqueue(line, false),
    async close() {
      await writing;
      await file.close();
    },
  };
}
