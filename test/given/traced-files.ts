import { AsyncLocalStorage } from 'node:async_hooks';
import type { FileHandle } from 'node:fs/promises';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';

const functions = ['link', 'mkdir', 'open', 'readFile', 'rename', 'rm', 'writeFile'] as const;
const methods = ['appendFile', 'datasync', 'sync', 'truncate', 'writeFile'] as const;

type Operation = (typeof functions)[number] | (typeof methods)[number] | 'close';
type Anything = (...given: unknown[]) => Promise<unknown>;

export interface TracedRun<T> {
  /** `sync lock.json`, in order; random parts of names are left out. Marked where nothing waited for it to end. */
  readonly operations: readonly string[];
  readonly result: PromiseSettledResult<T>;
}

/** Called just before an operation is carried out; if it throws, the operation rejects with that error. */
export type Before = (operation: Operation, file: string) => void | Promise<void>;

const random = /\.(?:[\da-f]{8}-[\da-f-]{27}|[\da-f]{8}\.tmp)$/;

/** Distinguishes traced operations from leftovers of earlier tests in this process, such as the renewal of a lock. */
const traces = new AsyncLocalStorage<object>();

/** Runs something and records its file operations; each takes one more turn of the event loop. */
export async function traced<T>(
  run: () => Promise<T>,
  before: Before = () => undefined,
): Promise<TracedRun<T>> {
  const trace = {};
  const operations: string[] = [];
  const open = new Set<number>();
  const paths = new WeakMap<FileHandle, string>();
  const wrap = (operation: Operation, original: Anything): Anything =>
    async function (this: unknown, ...given) {
      if (traces.getStore() !== trace) return original.apply(this, given);
      const path = typeof given[0] === 'string' ? given[0] : '';
      const file = basename(paths.get(this as FileHandle) ?? path).replace(random, '.draft');
      for (const index of open) operations[index] = `${operations[index]}, not awaited`;
      open.clear();
      const index = operations.push(`${operation} ${file}`) - 1;
      open.add(index);
      try {
        await nextTurn();
        await before(operation, file);
        const result = await original.apply(this, given);
        if (operation === 'open') {
          const handle = result as Record<string, Anything> & FileHandle;
          paths.set(handle, path);
          // Each handle has its own.
          Object.assign(handle, { close: wrap('close', handle.close as Anything) });
        }
        return result;
      } finally {
        await nextTurn();
        open.delete(index);
      }
    };

  const handle = await files.open(tmpdir(), 'r');
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const restore = [...replace(files, functions, wrap), ...replace(prototype, methods, wrap)];
  syncBuiltinESMExports();
  try {
    const [result] = await Promise.allSettled([traces.run(trace, run)]);
    for (const index of open) operations[index] = `${operations[index]}, not awaited`;
    while (open.size > 0) await nextTurn();
    return { operations: [...operations], result };
  } finally {
    for (const back of restore) back();
    syncBuiltinESMExports();
  }
}

function replace(
  target: object,
  names: readonly Operation[],
  wrap: (operation: Operation, original: Anything) => Anything,
): readonly (() => void)[] {
  const owner = target as Record<string, Anything>;
  return names.map((name) => {
    const original = owner[name] as Anything;
    owner[name] = wrap(name, original);
    return () => {
      owner[name] = original;
    };
  });
}

/** An error as the file system gives it. */
export function fileError(code: string): Error {
  return Object.assign(new Error(`${code}: given`), { code });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
