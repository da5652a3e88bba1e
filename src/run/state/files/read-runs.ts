import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../../core/lib/error-code.ts';
import { quoted } from '../../../core/lib/quoted.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { RunQuery } from '../interface/state.ts';
import { runIdAfter } from '../journal/journal-on.ts';
import { parseRun, type Run } from '../journal/parse-run.ts';
import { isSameAccount } from '../journal/record.ts';
import type { RunDigest } from '../journal/run-digest.ts';
import { runsFolder } from './create-journal.ts';
import { readDigest } from './read-digest.ts';

/** The ids of all runs, latest first; none if the folder does not exist. */
export async function listRunIds(stateDir: string): Promise<readonly string[]> {
  return [...latestFirst(await readdir(runsFolder(stateDir)).catch(() => []))];
}

/** Most lists need the latest few of many runs, so the others are only sorted. */
function* latestFirst(names: string[]): Generator<string> {
  names.sort();
  for (let index = names.length - 1; index >= 0; index -= 1) {
    const name = names[index] ?? '';
    if (name.endsWith(extension)) yield name.slice(0, -extension.length);
  }
}

const extension = '.ndjson';

/** How many journals are read at once. */
const atOnce = 16;

/** Reads hardly more journals than the query needs. */
export async function listRuns(stateDir: string, query: RunQuery): Promise<Result<readonly RunDigest[]>> {
  const { limit = Number.POSITIVE_INFINITY } = query;
  const names = await readdir(runsFolder(stateDir)).catch(() => []);
  const runIds = [...inTime(latestFirst(names), query)];
  const runs: RunDigest[] = [];
  const problems: Problem[] = [];
  for (let from = 0; from < runIds.length && runs.length < limit; ) {
    const portion = runIds.slice(from, from + Math.min(atOnce, limit - runs.length));
    from += portion.length;
    for (const run of await Promise.all(portion.map((runId) => readDigestOf(stateDir, runId)))) {
      if (!run.ok) problems.push(...run.problems.map((each) => ({ ...each, severity: 'warning' as const })));
      else if (isWanted(run.value, query)) runs.push(run.value);
    }
  }
  return ok(runs, problems);
}

/** Ids of runs sort by time, so the journals of others are not opened. */
function* inTime(
  runIds: Iterable<string>,
  { before, until, since, atLeast = 0 }: RunQuery,
): Generator<string> {
  const bounds = [before, until === undefined ? undefined : runIdAfter(until)];
  const earliest = since === undefined ? '' : runIdAfter(since - 1);
  let count = 0;
  for (const runId of runIds) {
    if (bounds.some((bound) => bound !== undefined && runId >= bound)) continue;
    if (count >= atLeast && runId < earliest) return;
    yield runId;
    count += 1;
  }
}

function isWanted(run: RunDigest, { account, actor, commit, state }: RunQuery): boolean {
  const { head } = run;
  return (
    (account === undefined || isSameAccount(head.account, account)) &&
    (actor === undefined || head.origin?.actor === actor) &&
    (commit === undefined || head.origin?.commit?.startsWith(commit) === true) &&
    (state === undefined || run.state === state)
  );
}

async function readDigestOf(stateDir: string, runId: string): Promise<Result<RunDigest>> {
  const path = runPath(stateDir, runId);
  try {
    return await readDigest(path);
  } catch (error) {
    return failed(unreadable(path, error));
  }
}

export async function readRun(stateDir: string, runId: string): Promise<Result<Run>> {
  const hint = 'list the runs with: rampart runs';
  if (!/^[\w.-]+$/.test(runId))
    return failed(problem('usage', `${quoted(runId)} is not the id of a run`, { hint }));
  const path = runPath(stateDir, runId);
  try {
    return parseRun(await readFile(path, 'utf8'), path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return failed(problem('usage', `run ${runId} does not exist`, { hint }));
    return failed(unreadable(path, error));
  }
}

export function runPath(stateDir: string, runId: string): string {
  return join(runsFolder(stateDir), `${runId}.ndjson`);
}

function unreadable(path: string, error: unknown): Problem {
  return problem('journal', `the journal ${path} can't be read (${codeOf(error)})`);
}
