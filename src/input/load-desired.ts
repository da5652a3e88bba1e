import type { Desired } from '../core/model/desired.ts';
import { problem } from '../core/problem/problem.ts';
import { failed, ok, type Result } from '../core/problem/result.ts';
import { readDesired, type SourceReads } from './read-desired.ts';
import { decodeSource, type Source } from './sources/decode-source.ts';
import { findSources, loadSources } from './sources/find-files.ts';
import { isScript } from './sources/is-script.ts';
import { openTablesIn } from './sources/open-table.ts';
import { type RunScriptOptions, runScript } from './typescript/run-script.ts';

export interface LoadDesiredOptions extends RunScriptOptions {
  /** Why no script may run here, for example because it comes from strangers; absent if scripts may run. */
  readonly noScripts?: { readonly why: string; readonly hint: string };
}

/**
 * Reads the desired state from files and folders relative to `cwd`; without any, from `fleet.yaml`, `fleet.ts` or
 * `fleet/` there. Runs scripts, each in its own process, and reads tables.
 */
export async function loadDesired(
  paths: readonly string[],
  options: LoadDesiredOptions,
): Promise<Result<Desired>> {
  return createDesiredLoader(options, [paths])(paths);
}

/** Reads the desired state from a list of files and folders, as `loadDesired` does. */
export type DesiredLoader = (paths: readonly string[]) => Promise<Result<Desired>>;

/**
 * Reads many lists of files that share files. Each whole list, and each file or folder in one, is read, run and compiled
 * once. What only one of the expected `lists` names is not kept, so that memory does not grow with their number.
 */
export function createDesiredLoader(
  options: LoadDesiredOptions,
  lists: readonly (readonly string[])[] = [],
): DesiredLoader {
  const keys = lists.map(keyOf);
  const singleLists = single(keys);
  const singlePaths = single([...new Set(keys)].flatMap(pathsOf));
  const reads: SourceReads = new WeakMap();
  const find = keepingSome(singlePaths, (path: string) => findSources(path, options.cwd));
  const run = runningOnce(options);
  const load = async (paths: readonly string[]) => {
    const sources = await opened(await loadSources(paths, options.cwd, find), run);
    return sources.ok ? readDesired(sources.value, { openTable: openTablesIn(options.cwd), reads }) : sources;
  };
  const loadKey = keepingSome(singleLists, (key: string) => load(pathsOf(key)));
  return (paths) => loadKey(keyOf(paths));
}

function keyOf(paths: readonly string[]): string {
  return JSON.stringify(paths);
}

function pathsOf(key: string): readonly string[] {
  return JSON.parse(key) as readonly string[];
}

function single(words: readonly string[]): ReadonlySet<string> {
  const counts = Map.groupBy(words, (word) => word);
  return new Set([...counts].flatMap(([word, { length }]) => (length === 1 ? [word] : [])));
}

/** The same work, done once for each key except those that nobody asks for again. */
function keepingSome<T>(
  unkept: ReadonlySet<string>,
  work: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const done = new Map<string, Promise<T>>();
  return (key) => {
    if (unkept.has(key)) return work(key);
    const found = done.get(key) ?? work(key);
    done.set(key, found);
    return found;
  };
}

/** The files themselves, including the output of the scripts among them. */
export async function openSources(
  paths: readonly string[],
  options: LoadDesiredOptions,
): Promise<Result<readonly Source[]>> {
  return opened(await loadSources(paths, options.cwd), runningOnce(options));
}

type Run = (source: Source) => Promise<Source>;

async function opened(found: Result<readonly Source[]>, run: Run): Promise<Result<readonly Source[]>> {
  if (!found.ok) return found;
  const sources: Source[] = [];
  for (const source of found.value) sources.push(isScript(source.file) ? await run(source) : source);
  return ok(sources);
}

function runningOnce(options: LoadDesiredOptions): Run {
  const runs = new WeakMap<Source, Promise<Source>>();
  return (source) => {
    const found = runs.get(source) ?? ran(source, options);
    runs.set(source, found);
    return found;
  };
}

async function ran(source: Source, options: LoadDesiredOptions): Promise<Source> {
  if (options.noScripts !== undefined) {
    const { file } = source;
    const refusal = problem('not-approved', `${file} is a program and is not run: ${options.noScripts.why}`, {
      place: { file, line: 1, col: 1 },
      hint: `write the desired state in YAML; ${options.noScripts.hint}`,
    });
    return { ...source, script: failed(refusal) };
  }
  const text = decodeSource(source, 'script');
  return {
    ...source,
    script: text.ok ? await runScript(source.file, text.value.text, options) : failed(...text.problems),
  };
}
