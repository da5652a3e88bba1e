import { existsSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, accountKey, accountOfRecord } from '../../../core/model/account.ts';
import type { RunRecord } from '../journal/record.ts';

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
  const key = accountKey(accountOfRecord(account));
  return join(runsFolder(stateDir), key, monthOf(runId), `${runId}${extension}`);
}

/** An id begins with its time, so ids and these prefixes of them have the same order. */
function monthOf(runId: string): string {
  return runId.slice(0, 'YYYYMM'.length);
}

export function isRunId(text: string): boolean {
  return /^\w[\w.-]*$/.test(text);
}

/** Undefined if there is no such run. With its account, the other accounts are rarely searched. */
export async function findRun(
  stateDir: string,
  runId: string,
  account?: RunRecord['account'],
): Promise<string | undefined> {
  const usual = account && runPath(stateDir, { run_id: runId, account });
  if (usual !== undefined && (await isThere(usual))) return usual;
  const root = runsFolder(stateDir);
  for (const key of (await namesIn(root)).filter(isAccountKey)) {
    const path = join(root, key, monthOf(runId), `${runId}${extension}`);
    if (await isThere(path)) return path;
  }
  return undefined;
}

/** The latest first, month by month; `account` leaves out the folders of other accounts. */
export async function* runFiles(
  stateDir: string,
  { account, before }: { readonly account?: Account | undefined; readonly before?: string | undefined },
): AsyncGenerator<readonly RunFile[]> {
  const root = runsFolder(stateDir);
  const folders = new Map<string, string[]>();
  const keys = account === undefined ? (await namesIn(root)).filter(isAccountKey) : [accountKey(account)];
  for (const name of keys) {
    for (const month of await namesIn(join(root, name)))
      folders.set(month, [...(folders.get(month) ?? []), join(root, name, month)]);
  }
  for (const month of [...folders.keys()].sort().reverse()) {
    if (before !== undefined && month > monthOf(before)) continue;
    const found = (folders.get(month) ?? []).map(async (path) => runsAmong(await namesIn(path), path));
    yield (await Promise.all(found)).flat().sort((a, b) => (a.runId < b.runId ? 1 : -1));
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

export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
