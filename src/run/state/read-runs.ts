import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quoted } from '../../core/lib/quoted.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, type Result } from '../../core/problem/result.ts';
import { runsFolder } from './create-journal.ts';
import { codeOf } from './lock-file.ts';
import { parseRun, type Run } from './parse-run.ts';

/** Ids of all runs, latest first; none where the folder is not there. */
export async function listRunIds(stateDir: string): Promise<readonly string[]> {
  const names = await readdir(runsFolder(stateDir)).catch(() => []);
  return names
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => name.slice(0, -'.ndjson'.length))
    .sort()
    .reverse();
}

export async function readRun(stateDir: string, runId: string): Promise<Result<Run>> {
  const hint = 'list the runs with: rampart runs';
  if (!/^[\w.-]+$/.test(runId))
    return failed(problem('usage', `${quoted(runId)} is not the id of a run`, { hint }));
  const path = join(runsFolder(stateDir), `${runId}.ndjson`);
  try {
    return parseRun(await readFile(path, 'utf8'), path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return failed(problem('usage', `run ${runId} does not exist`, { hint }));
    return failed(problem('journal', `the journal ${path} can't be read (${code})`));
  }
}
