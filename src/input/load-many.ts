import type { Desired } from '../core/model/desired.ts';
import type { Result } from '../core/problem/problem.ts';
import { type LoadDesiredOptions, openingIn, openSourceFiles, registersOf } from './load-desired.ts';
import { createSourceReads, readDesired } from './read-desired.ts';
import type { Source } from './sources/decode-source.ts';
import { openTablesIn } from './sources/open-table.ts';
import { fetchedOnce } from './tables/register-table.ts';

/** Reads the desired state from a list of files and folders, as `loadDesired` does. */
export type DesiredLoader = (paths: readonly string[]) => Promise<Result<Desired>>;

/**
 * Reads many lists of files that share files, as the accounts of a configuration do. Each whole list, and each file or
 * folder in one, is read, run and compiled once. A file that only one of the expected `lists` contains is not cached,
 * so that memory does not grow with their number.
 */
export function createDesiredLoader(
  options: LoadDesiredOptions,
  lists: readonly (readonly string[])[] = [],
): DesiredLoader {
  const keys = lists.map(keyOf);
  const opening = openingIn(options);
  const find = onceEach(opening.find, namedOnce([...new Set(keys)].flatMap(pathsOf)));
  const run = onceForEachSource(opening.run);
  const reads = createSourceReads();
  const { fetchRegister } = options;
  const fetching = fetchRegister === undefined ? {} : { fetchRegister: fetchedOnce(fetchRegister) };
  const load = onceEach(async (key: string): Promise<Result<Desired>> => {
    const sources = await openSourceFiles(pathsOf(key), options, { find, run });
    if (!sources.ok) return sources;
    const registers = await registersOf(sources.value, fetching);
    return readDesired(sources.value, { openTable: openTablesIn(options.cwd), registers, reads });
  }, namedOnce(keys));
  return (paths) => load(keyOf(paths));
}

function keyOf(paths: readonly string[]): string {
  return JSON.stringify(paths);
}

function pathsOf(key: string): readonly string[] {
  return JSON.parse(key) as readonly string[];
}

function namedOnce(words: readonly string[]): ReadonlySet<string> {
  const counts = Map.groupBy(words, (word) => word);
  return new Set([...counts].flatMap(([word, { length }]) => (length === 1 ? [word] : [])));
}

/** Does the same work once for each key, and keeps no result for the `unkept` keys. */
function onceEach<T>(
  work: (key: string) => Promise<T>,
  unkept: ReadonlySet<string>,
): (key: string) => Promise<T> {
  const done = new Map<string, Promise<T>>();
  return (key) => {
    if (unkept.has(key)) return work(key);
    const found = done.get(key) ?? work(key);
    done.set(key, found);
    return found;
  };
}

/** A source that nobody refers to any longer is forgotten with its result. */
function onceForEachSource<T>(work: (source: Source) => Promise<T>): (source: Source) => Promise<T> {
  const done = new WeakMap<Source, Promise<T>>();
  return (source) => {
    const found = done.get(source) ?? work(source);
    done.set(source, found);
    return found;
  };
}
