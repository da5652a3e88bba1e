import { rm } from 'node:fs/promises';
import { codeOf } from '../../../core/lib/error-code.ts';
import { quoted } from '../../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { Run } from '../journal/parse-run.ts';
import { createAppendLog } from './create-append-log.ts';
import { findRun, isRunId, runPath } from './run-files.ts';
import { unwritable } from './unwritable.ts';

/** A half-written journal would look like that of a crashed run, so it is written at once. */
export async function importRun(stateDir: string, { head, records }: Run): Promise<Result<boolean>> {
  if (!isRunId(head.run_id))
    return failed(problem('journal', `${quoted(head.run_id)} is not the id of a run`));
  const path = runPath(stateDir, head);
  if ((await findRun(stateDir, head.run_id)) !== undefined) return ok(false);
  try {
    const log = await createAppendLog(path);
    try {
      await log.sync(records.map((record) => JSON.stringify(record)).join('\n'));
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
  let removed = 0;
  for (const runId of runIds) {
    const path = await findRun(stateDir, runId);
    if (path === undefined) continue;
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
