/** An append-only log. Entries that wait together share one write. */
export interface GroupCommit<T> {
  /** Resolves when the entry is durable; rejects if it can't be written. */
  commit(entry: T): Promise<void>;
  /** Resolves when the entry is written; the next `commit` makes it durable. */
  append(entry: T): Promise<void>;
  /** Resolves when no entry is waiting. */
  idle(): Promise<void>;
}

interface Waiting<T> {
  readonly entry: T;
  readonly durable: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** `write` is called for one group after another. `durable` means that the group must be on disk when it resolves. */
export function startGroupCommit<T>(
  write: (entries: readonly T[], durable: boolean) => Promise<void>,
): GroupCommit<T> {
  let pending: Waiting<T>[] = [];
  let writing: Promise<void> | undefined;
  let broken: { readonly error: unknown } | undefined;

  const writeGroup = async (group: readonly Waiting<T>[]): Promise<void> => {
    // An entry after a half-written one would be damaged too.
    if (broken !== undefined) throw broken.error;
    try {
      await write(
        group.map(({ entry }) => entry),
        group.some(({ durable }) => durable),
      );
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  const flush = async (): Promise<void> => {
    while (pending.length > 0) {
      const group = pending;
      pending = [];
      await writeGroup(group).then(
        () => group.forEach(({ resolve }) => resolve()),
        (error: unknown) => group.forEach(({ reject }) => reject(error)),
      );
    }
    writing = undefined;
  };
  const enqueue = (entry: T, durable: boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      pending.push({ entry, durable, resolve, reject });
      writing ??= Promise.resolve().then(flush);
    });

  return {
    commit: (entry) => enqueue(entry, true),
    append: (entry) => enqueue(entry, false),
    idle: async () => writing,
  };
}
