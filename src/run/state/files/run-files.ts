import { existsSync } from 'node:fs';
import { access, mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, accountKey } from '../../../core/model/account.ts';
import type { RunRecord } from '../journal/record.ts';
import { headOf } from './read-head.ts';

/** A run as a file, which may not be readable. */
export interface RunFile {
  readonly runId: string;
  readonly path: string;
}

const extension = '.ndjson';

function runsFolder(stateDir: string): string {
  return join(stateDir, 'runs');
}

/**
 * One folder for each account and month, `runs/<account>/202611/<run>.ndjson`: a list of the latest few runs reads few
 * names, however many runs there are.
 */
export function runPath(
  stateDir: string,
  { run_id: runId, account }: Pick<RunRecord, 'run_id' | 'account'>,
): string {
  const key = accountKey({ companyId: account.company_id, service: account.service });
  return join(runsFolder(stateDir), key, monthOf(runId), `${runId}${extension}`);
}

/** An id begins with its time, so ids and these prefixes of them have the same order. */
function monthOf(runId: string): string {
  return runId.slice(0, 'YYYYMM'.length);
}

export function isRunId(text: string): boolean {
  return /^\w[\w.-]*$/.test(text);
}

/** Undefined if there is no such run. */
export async function findRun(stateDir: string, runId: string): Promise<string | undefined> {
  const names = await namesIn(runsFolder(stateDir));
  const file = `${runId}${extension}`;
  const paths = names.filter(isAccountKey).map((key) => join(key, monthOf(runId), file));
  // A file that is moved meanwhile is found in its new folder.
  for (const path of [file, ...paths].map((each) => join(runsFolder(stateDir), each)))
    if (await isThere(path)) return path;
  return undefined;
}

/** The latest first, month by month; `account` leaves out the folders of other accounts. */
export async function* runFiles(
  stateDir: string,
  { account, before }: { readonly account?: Account | undefined; readonly before?: string | undefined },
): AsyncGenerator<readonly RunFile[]> {
  const root = runsFolder(stateDir);
  const names = await namesIn(root);
  const months = Map.groupBy(runsAmong(names, root), ({ runId }) => monthOf(runId));
  const folders = new Map<string, string[]>();
  const key = account && accountKey(account);
  for (const name of names) {
    if (!isAccountKey(name) || (key !== undefined && name !== key)) continue;
    for (const month of await namesIn(join(root, name)))
      folders.set(month, [...(folders.get(month) ?? []), join(root, name, month)]);
  }
  for (const month of [...new Set([...months.keys(), ...folders.keys()])].sort().reverse()) {
    if (before !== undefined && month > monthOf(before)) continue;
    const found = (folders.get(month) ?? []).map(async (path) => runsAmong(await namesIn(path), path));
    // A file that is moved meanwhile is seen twice; the new place counts.
    const all = [...(months.get(month) ?? []), ...(await Promise.all(found)).flat()];
    const byId = new Map(all.map((file) => [file.runId, file]));
    yield [...byId.values()].sort((a, b) => (a.runId < b.runId ? 1 : -1));
  }
}

/** Earlier versions kept all runs in one folder. A file that can't be read or moved stays there, and is still listed. */
export async function moveOldRuns(stateDir: string): Promise<void> {
  const root = runsFolder(stateDir);
  for (const { path } of runsAmong(await namesIn(root), root)) {
    const head = await readHead(path).catch(() => undefined);
    if (head === undefined || !isRunId(head.run_id)) continue;
    const moved = runPath(stateDir, head);
    await mkdir(join(moved, '..'), { recursive: true, mode: 0o700 });
    await rename(path, moved).catch(() => undefined);
  }
}

async function readHead(path: string): Promise<RunRecord | undefined> {
  const file = await open(path, 'r');
  try {
    return await headOf(file);
  } finally {
    await file.close();
  }
}

function runsAmong(names: readonly string[], folder: string): readonly RunFile[] {
  return names
    .filter((name) => name.endsWith(extension))
    .map((name) => ({ runId: name.slice(0, -extension.length), path: join(folder, name) }));
}

function isAccountKey(name: string): boolean {
  return /^[0-9a-f]{16}$/.test(name);
}

/** Most accounts have no runs yet, and an error with its stack costs more than a look at the folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return existsSync(folder) ? readdir(folder).catch(() => []) : [];
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
