import { rm } from 'node:fs/promises';
import { codeOf } from '../../../core/lib/error-code.ts';
import { quoted } from '../../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { Run } from '../journal/parse-run.ts';
import { createAppendLog } from './append-log.ts';
import { findRun, isRunId, runFiles, runPath } from './run-files.ts';
import { unwritable } from './unwritable.ts';

/**
 * A half-written journal would look like that of a crashed run, so it is written at once. `earlier` are the ids of
 * all runs that may be there already, and gets the id of this one.
 */
export async function importRun(
  stateDir: string,
  { head, records }: Run,
  earlier: Set<string>,
): Promise<Result<boolean>> {
  if (!isRunId(head.run_id))
    return failed(problem('journal', `${quoted(head.run_id)} is not the id of a run`));
  const path = runPath(stateDir, head);
  const isThere =
    earlier.has(head.run_id) && (await findRun(stateDir, head.run_id, head.account)) !== undefined;
  if (isThere) return ok(false);
  earlier.add(head.run_id);
  try {
    const log = await createAppendLog(path);
    try {
      await log.commit(records.map((record) => JSON.stringify(record)).join('\n'));
    } finally {
      await log.close();
    }
    return ok(true);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return ok(false);
    await rm(path, { force: true }).catch(() => undefined);
    return failed(unwritable(`the journal ${path}`, error));
  }
}

export async function removeRuns(stateDir: string, runIds: readonly string[]): Promise<Result<number>> {
  const wanted = new Set(runIds);
  const paths: string[] = [];
  for await (const files of runFiles(stateDir, {}))
    for (const { runId, path } of files) if (wanted.has(runId)) paths.push(path);
  let removed = 0;
  for (const path of paths) {
    try {
      await rm(path);
      removed += 1;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue;
      return failed(problem('journal', `the journal ${path} can't be removed (${codeOf(error)})`));
    }
  }
  return ok(removed);
}
