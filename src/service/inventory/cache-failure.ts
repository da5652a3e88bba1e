import { type Problem, problem } from '../../core/problem/problem.ts';

/** Primary SQLite result codes: their meaning here, and whether the file is beyond repair. */
const meanings: Readonly<Record<number, { readonly words: string; readonly isBroken?: true }>> = {
  5: { words: 'another process is using it' },
  6: { words: 'another process is using it' },
  8: { words: "it can't be written" },
  10: { words: "the disk can't be read or written" },
  11: { words: 'it is damaged', isBroken: true },
  13: { words: 'the disk is full' },
  14: { words: "it can't be opened" },
  26: { words: 'it is not an inventory cache', isBroken: true },
};

/** An error of SQLite as a problem; undefined for any other error. */
export function cacheFailure(error: unknown, path: string): Problem | undefined {
  const { code, errcode, message } = error as {
    readonly code?: unknown;
    readonly errcode?: unknown;
    readonly message?: unknown;
  };
  if (code !== 'ERR_SQLITE_ERROR') return undefined;
  // The low byte is the primary code; the rest gives details.
  const meaning = typeof errcode === 'number' ? meanings[errcode & 0xff] : undefined;
  // A file of the right version without its tables: another program wrote it.
  const isBroken = meaning === undefined || meaning.isBroken === true;
  return problem(
    'inventory-cache',
    `the inventory cache ${path} can't be used: ${meaning?.words ?? String(message)}`,
    {
      hint: isBroken
        ? cacheHint(path)
        : 'try again, free some disk space, or choose another folder with --state-dir',
    },
  );
}

export function cacheHint(path: string): string {
  return `delete ${path}, then run: rampart hosts inventory pull`;
}
