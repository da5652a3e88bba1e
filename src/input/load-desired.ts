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
  /** Why no script may run here, such as that strangers wrote it; absent if they may. */
  readonly noScripts?: string;
}

/**
 * The desired state of files and folders, opened relative to `cwd`; without any, that of `fleet.yaml`, `fleet.ts` or
 * `fleet/` there. Scripts are run, in processes of their own, and tables are read.
 */
export async function loadDesired(
  paths: readonly string[],
  options: LoadDesiredOptions,
): Promise<Result<Desired>> {
  const sources = await openSources(paths, options);
  return sources.ok ? readDesired(sources.value, { openTable: openTablesIn(options.cwd) }) : sources;
}

/** The files themselves, with what came of the scripts among them. */
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
