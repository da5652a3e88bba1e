import { readFile } from 'node:fs/promises';
import { codeOf } from '../../../core/lib/error-code.ts';
import { quoted } from '../../../core/lib/words.ts';
import { accountOfRecord, equalAccounts } from '../../../core/model/account.ts';
import { asWarning, failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { ListedRun, RunQuery } from '../interface/state.ts';
import { runIdAfter } from '../journal/journal-on.ts';
import { parseRun, type Run } from '../journal/parse-run.ts';
import type { RunRecord } from '../journal/record.ts';
import type { RunDigest } from '../journal/run-digest.ts';
import { type RunSeal, sealRun } from '../journal/seal-run.ts';
import type { LockHolder } from '../lease/lease-holder.ts';
import { readDigest } from './read-digest.ts';
import { findRun, isRunId, type RunFile, runFiles, runPath } from './run-files.ts';

/** The ids of all runs, latest first; none if the folder does not exist. */
export async function listRunIds(stateDir: string): Promise<readonly string[]> {
  const runIds: string[] = [];
  for await (const files of runFiles(stateDir, {})) runIds.push(...files.map(({ runId }) => runId));
  return runIds;
}

/** How many journals are read at once. */
const atOnce = 16;

/** The holder of the lock that a run has now; undefined if it has none. */
export type HolderOf = (head: RunRecord) => Promise<LockHolder | undefined>;

/** Reads hardly more journals than the query needs. */
export async function listRuns(
  stateDir: string,
  query: RunQuery,
  holderOf: HolderOf = async () => undefined,
): Promise<Result<readonly ListedRun[]>> {
  const { limit = Number.POSITIVE_INFINITY, since, atLeast = 0 } = query;
  const earliest = since === undefined ? '' : runIdAfter(since - 1);
  const runs: ListedRun[] = [];
  const problems: Problem[] = [];
  /** How many more runs the reader needs if the next one has this id. */
  const wanted = (runId: string) =>
    Math.max(0, Math.min(limit, runId < earliest ? atLeast : limit) - runs.length);
  for await (const all of runFiles(stateDir, query)) {
    const files = all.filter(({ runId }) => isInTime(runId, query));
    for (let from = 0; from < files.length; ) {
      const isRecent = (files[from]?.runId ?? '') >= earliest;
      const alike = files.slice(from, from + atOnce).filter(({ runId }) => runId >= earliest === isRecent);
      const portion = alike.slice(0, wanted(alike[0]?.runId ?? ''));
      if (portion.length === 0) return ok(runs, problems);
      from += portion.length;
      for (const run of await Promise.all(portion.map((file) => readListed(stateDir, file, holderOf)))) {
        if (!run.ok) problems.push(...run.problems.map(asWarning));
        else if (run.value !== null && isWanted(run.value, query)) runs.push(run.value);
      }
    }
  }
  return ok(runs, problems);
}

/** Ids of runs sort by time, so the journals of others are not opened. */
function isInTime(runId: string, { before, until }: RunQuery): boolean {
  return (before === undefined || runId < before) && (until === undefined || runId < runIdAfter(until));
}

function isWanted(run: RunDigest, { account, actor, commit, state }: RunQuery): boolean {
  const { head } = run;
  return (
    (account === undefined || equalAccounts(accountOfRecord(head.account), account)) &&
    (actor === undefined || head.origin?.actor === actor) &&
    (commit === undefined || head.origin?.commit?.startsWith(commit) === true) &&
    (state === undefined || run.state === state)
  );
}

async function readListed(
  stateDir: string,
  file: RunFile,
  holderOf: HolderOf,
): Promise<Result<ListedRun | null>> {
  const read = await readDigestOf(stateDir, file);
  if (!read.ok || read.value === null || read.value.exitCode !== null) return read;
  const holder = await holderOf(read.value.head);
  return holder === undefined ? read : ok({ ...read.value, state: 'running', holder });
}

async function readDigestOf(stateDir: string, { runId, path }: RunFile): Promise<Result<RunDigest | null>> {
  try {
    return await readDigest(path);
  } catch (error) {
    const moved = codeOf(error) === 'ENOENT' ? await findRun(stateDir, runId) : undefined;
    return moved === undefined || moved === path
      ? failed(unreadable(path, error))
      : readDigestOf(stateDir, { runId, path: moved });
  }
}

export async function readRun(
  stateDir: string,
  runId: string,
  account?: RunRecord['account'],
): Promise<Result<Run>> {
  const hint = 'list the runs with: rampart runs';
  if (!isRunId(runId)) return failed(problem('usage', `${quoted(runId)} is not the id of a run`, { hint }));
  const path = await findRun(stateDir, runId, account);
  if (path === undefined) return failed(problem('usage', `run ${runId} does not exist`, { hint }));
  try {
    return parseRun(await readFile(path, 'utf8'), path);
  } catch (error) {
    return failed(unreadable(path, error));
  }
}

function unreadable(path: string, error: unknown): Problem {
  return problem('journal', `the journal ${path} can't be read (${codeOf(error)})`);
}

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
        if (codeOf(error) !== 'ENOENT') return failed(unreadable(path, error));
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
