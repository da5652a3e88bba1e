import type { Desired } from '../core/model/desired.ts';
import { failed, ok, problem, type Result } from '../core/problem/problem.ts';
import { registerRequests } from './declared-tables.ts';
import { parseSource, readDesired } from './read-desired.ts';
import { decodeSource, type Source } from './sources/decode-source.ts';
import { findSources, loadSources } from './sources/find-files.ts';
import { isScript } from './sources/is-script.ts';
import { openTablesIn } from './sources/open-table.ts';
import { type FetchRegister, fetchRegisters, type Registers } from './tables/register-table.ts';
import { type RunScriptOptions, runScript } from './typescript/run-script.ts';

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

export function openingIn(options: LoadDesiredOptions): Opening {
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
