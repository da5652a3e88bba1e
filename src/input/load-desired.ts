import type { Desired } from '../core/model/desired.ts';
import { problem } from '../core/problem/problem.ts';
import { failed, ok, type Result } from '../core/problem/result.ts';
import { readDesired } from './read-desired.ts';
import { decodeSource, type Source } from './sources/decode-source.ts';
import { loadSources } from './sources/find-files.ts';
import { isScript } from './sources/is-script.ts';
import { openTablesIn } from './sources/open-table.ts';
import { type RunScriptOptions, runScript } from './typescript/run-script.ts';

export interface LoadDesiredOptions extends RunScriptOptions {
  /** Why no script may run here, for example because it comes from strangers; absent if scripts may run. */
  readonly noScripts?: string;
}

/**
 * Reads the desired state from files and folders relative to `cwd`; without any, from `fleet.yaml`, `fleet.ts` or
 * `fleet/` there. Runs scripts, each in its own process, and reads tables.
 */
export async function loadDesired(
  paths: readonly string[],
  options: LoadDesiredOptions,
): Promise<Result<Desired>> {
  const sources = await openSources(paths, options);
  return sources.ok ? readDesired(sources.value, { openTable: openTablesIn(options.cwd) }) : sources;
}

/** The files themselves, including the output of the scripts among them. */
export async function openSources(
  paths: readonly string[],
  options: LoadDesiredOptions,
): Promise<Result<readonly Source[]>> {
  const found = await loadSources(paths, options.cwd);
  if (!found.ok) return found;
  const sources: Source[] = [];
  for (const source of found.value) sources.push(isScript(source.file) ? await ran(source, options) : source);
  return ok(sources);
}

async function ran(source: Source, options: LoadDesiredOptions): Promise<Source> {
  if (options.noScripts !== undefined) {
    const { file } = source;
    const refusal = problem('not-approved', `${file} is a program and is not run: ${options.noScripts}`, {
      place: { file, line: 1, col: 1 },
      hint: 'write the desired state in YAML; RAMPART_TRUST_FORKS=1 is for jobs without secrets',
    });
    return { ...source, script: failed(refusal) };
  }
  const text = decodeSource(source, 'script');
  return {
    ...source,
    script: text.ok ? await runScript(source.file, text.value.text, options) : failed(...text.problems),
  };
}
