import { readFile } from 'node:fs/promises';
import { codeOf } from '../../../core/lib/error-code.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { parseRun } from '../journal/parse-run.ts';
import { type RunSeal, sealRun } from '../journal/seal-run.ts';
import { runFiles, runPath } from './run-files.ts';

/** One journal after another, so that only one is in memory. */
export async function sealFilesRuns(
  stateDir: string,
  runIds: readonly string[],
): Promise<Result<ReadonlyMap<string, RunSeal>>> {
  const wanted = new Set(runIds);
  const seals = new Map<string, RunSeal>();
  if (wanted.size === 0) return ok(seals);
  for await (const files of runFiles(stateDir, {})) {
    for (const { runId, path } of files) {
      if (!wanted.has(runId)) continue;
      try {
        seals.set(runId, sealOf(await readFile(path, 'utf8'), runId, path, stateDir));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT')
          return failed(problem('journal', `the journal ${path} can't be read (${codeOf(error)})`));
      }
    }
  }
  return ok(seals);
}

function sealOf(text: string, runId: string, path: string, stateDir: string): RunSeal {
  const run = parseRun(text, path);
  // The first line of a damaged journal can still be the one that was recorded.
  const read = run.ok ? run : parseRun(text.slice(0, text.indexOf('\n') + 1), path);
  if (!read.ok) return sealRun(['damaged']);
  const { head, records, torn } = read.value;
  const isInPlace = head.run_id === runId && runPath(stateDir, head) === path;
  if (!isInPlace) return sealRun(['in another place']);
  return sealRun(records, run.ok && !torn ? [] : ['damaged']);
}
