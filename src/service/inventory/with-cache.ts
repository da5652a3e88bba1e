import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../../core/lib/error-code.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { cacheFailure } from './cache-failure.ts';
import { openDatabase, openMemory } from './cache-schema.ts';
import { parseCache } from './cache-text.ts';
import { InventoryCache } from './inventory-cache.ts';

/** Runs work with a cache, creating it in its folder if there is none, and closes it afterwards. */
export async function withCache<T>(
  path: string,
  work: (cache: InventoryCache) => Promise<T>,
): Promise<Result<T>> {
  let database: DatabaseSync | undefined;
  try {
    const opened = openDatabase(path);
    if ('code' in opened) return failed(opened);
    database = opened;
    return ok(await work(new InventoryCache(database)));
  } catch (error) {
    return failed(toProblem(error, path));
  } finally {
    database?.close();
  }
}

/** Reads from a cache; undefined if there is none. */
export function readCache<T>(path: string, read: (cache: InventoryCache) => T): Result<T | undefined> {
  if (!existsSync(path)) return ok(undefined);
  let database: DatabaseSync | undefined;
  try {
    const opened = openDatabase(path);
    if ('code' in opened) return failed(opened);
    database = opened;
    return ok(read(new InventoryCache(database)));
  } catch (error) {
    return failed(toProblem(error, path));
  } finally {
    database?.close();
  }
}

/** Reads from a cache that was printed as text. */
export function readCacheText<T>(text: string, read: (cache: InventoryCache) => T): Result<T> {
  const contents = parseCache(text);
  if (contents === undefined) return failed(damagedInventory());
  const database = openMemory();
  try {
    const cache = new InventoryCache(database);
    cache.add(contents);
    return ok(read(cache));
  } finally {
    database.close();
  }
}

export function damagedInventory(): Problem {
  return problem('inventory-cache', 'the inventory in the shared state is damaged', {
    hint: 'replace it: rampart hosts inventory pull',
  });
}

function toProblem(error: unknown, path: string): Problem {
  const failure = cacheFailure(error, path);
  if (failure !== undefined) return failure;
  const { syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'open') throw error;
  return problem('inventory-cache', `the inventory cache ${path} can't be opened (${reasonOf(error)})`, {
    hint: 'choose a writable folder with --state-dir',
  });
}
