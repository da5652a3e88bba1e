import type { Desired } from '../core/model/desired.ts';
import { failed, ok, problem, type Result } from '../core/problem/problem.ts';
import { registerRequests } from './declared-tables.ts';
import { createSourceReads, parseSource, readDesired } from './read-desired.ts';
import { decodeSource, type Source } from './sources/decode-source.ts';
import { findSources, loadSources } from './sources/find-files.ts';
import { isScript } from './sources/is-script.ts';
import { type OpenTable, openTablesIn } from './sources/open-table.ts';
import {
  type FetchRegister,
  fetchedOnce,
  fetchRegisters,
  noRegisters,
  type Registers,
} from './tables/register-table.ts';
import { type RunScriptOptions, runScript } from './typescript/run-script.ts';
import { type EditedSource, editedText, type OpenedSources } from './writing/edited-source.ts';

export interface LoadDesiredOptions extends RunScriptOptions {
  /** Reads registers over HTTP; if absent, naming one is a problem. */
  readonly fetchRegister?: FetchRegister;
  /** Why no script may run here, for example because it comes from strangers; absent if scripts may run. */
  readonly noScripts?: { readonly why: string; readonly hint: string };
}

/**
 * Reads the desired state from one or more files and folders relative to `cwd`; with an empty list, from `fleet.yaml`, `fleet.ts` or
 * `fleet/` there. Runs scripts, each in its own process, and reads tables.
 */
export async function loadDesired(
  paths: string | readonly string[],
  options: LoadDesiredOptions,
): Promise<Result<Desired>> {
  const sources = await openSourceFiles(typeof paths === 'string' ? [paths] : paths, options);
  if (!sources.ok) return sources;
  const registers = await registersOf(sources.value, options);
  return readDesired(sources.value, { openTable: openTablesIn(options.cwd), registers });
}

/** Reading a desired state is synchronous, so its registers are read first. */
export function registersOf(
  sources: readonly Source[],
  { fetchRegister }: Pick<LoadDesiredOptions, 'fetchRegister'>,
): Promise<Registers> {
  const requests = fetchRegister === undefined ? [] : registerRequests(sources, parseSource);
  return fetchRegisters(requests, fetchRegister);
}

/** How the files of a desired state are found and its scripts are run. */
export interface Opening {
  find(path: string): ReturnType<typeof findSources>;
  run(script: Source): Promise<Source>;
}

function openingIn(options: LoadDesiredOptions): Opening {
  return {
    find: (path) => findSources(path, options.cwd),
    run: (script) => withOutput(script, options),
  };
}

/** The files themselves, including the output of the scripts among them. */
export async function openSourceFiles(
  paths: readonly string[],
  options: LoadDesiredOptions,
  { find, run }: Opening = openingIn(options),
): Promise<Result<readonly Source[]>> {
  const found = await loadSources(paths, options.cwd, find);
  if (!found.ok) return found;
  const sources: Source[] = [];
  for (const source of found.value) sources.push(isScript(source.file) ? await run(source) : source);
  return ok(sources);
}

async function withOutput(script: Source, options: LoadDesiredOptions): Promise<Source> {
  const { file } = script;
  if (options.noScripts !== undefined) {
    const refusal = problem('not-approved', `${file} is a program and is not run: ${options.noScripts.why}`, {
      place: { file, line: 1, col: 1 },
      hint: `write the desired state in YAML; ${options.noScripts.hint}`,
    });
    return { ...script, script: failed(refusal) };
  }
  const text = decodeSource(script, 'script');
  return {
    ...script,
    script: text.ok ? await runScript(file, text.value.text, options) : failed(...text.problems),
  };
}

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

/** Reads the desired state of these files, whether or not they have errors, and keeps the tables that it opens. */
export function readOpened(
  sources: readonly Source[],
  cwd: string,
  registers: Registers = noRegisters,
): OpenedSources & { readonly desired: Result<Desired> } {
  const tables: Source[] = [];
  const open = openTablesIn(cwd);
  const openTable: OpenTable = (path, namedBy) => {
    const table = open(path, namedBy);
    if (table.ok) tables.push(table.value);
    return table;
  };
  return { sources, tables, registers, desired: readDesired(sources, { openTable, registers }) };
}

/** The desired state with the edits, which are not written. */
export function readEdited(
  { sources, registers }: Pick<OpenedSources, 'sources' | 'registers'>,
  edited: readonly EditedSource[],
  cwd: string,
): Result<Desired> {
  const after = new Map(edited.map((each) => [each.source.file, editedText(each)]));
  const asEdited = (source: Source) => ({ ...source, text: after.get(source.file) ?? source.text });
  const open = openTablesIn(cwd);
  const openTable: OpenTable = (path, namedBy) => {
    const table = open(path, namedBy);
    return table.ok ? ok(asEdited(table.value)) : table;
  };
  return readDesired(sources.map(asEdited), { openTable, ...(registers === undefined ? {} : { registers }) });
}
