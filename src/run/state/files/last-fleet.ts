import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, accountKey } from '../../../core/model/account.ts';
import { noFacts } from '../../../core/model/facts.ts';
import { printSnapshot, readSnapshot, type Snapshot } from '../../../core/model/snapshot.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import { makeFolder, replaceFile } from './replace-file.ts';

/** The fleet after the last run of an account, for finding drift. */
export async function saveLastFleet(
  stateDir: string,
  { account, observed, earlier = [] }: Omit<Snapshot, 'facts'>,
): Promise<void> {
  const path = pathOf(stateDir, account);
  makeFolder(join(stateDir, folder), 0o700);
  await replaceFile(path, printSnapshot({ account, observed, facts: noFacts, earlier }), { mode: 0o600 });
}

/** Null if no run of the account left one. */
export async function readLastFleet(stateDir: string, account: Account): Promise<Result<Snapshot | null>> {
  const path = pathOf(stateDir, account);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return ok(null);
  }
  return readSnapshot(text, path);
}

/** The latest fleet of any account; null if none can be read. */
export async function readLatestFleet(stateDir: string): Promise<Snapshot | null> {
  const paths = (await readdir(join(stateDir, folder)).catch(() => [])).map((name) =>
    join(stateDir, folder, name),
  );
  const times = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
  const [latest] = times.toSorted((a, b) => b.at - a.at);
  if (latest === undefined) return null;
  const snapshot = readSnapshot(await readFile(latest.path, 'utf8'), latest.path);
  return snapshot.ok ? snapshot.value : null;
}

/** One after another, so that only one fleet is in memory. */
export async function eachFleet(
  stateDir: string,
  visit: (fleet: Snapshot) => Promise<Result<null>>,
): Promise<Result<null>> {
  const names = await readdir(join(stateDir, folder)).catch(() => []);
  for (const name of names.filter((each) => each.endsWith(suffix)).toSorted()) {
    const path = join(stateDir, folder, name);
    const fleet = readSnapshot(await readFile(path, 'utf8'), path);
    const visited = fleet.ok ? await visit(fleet.value) : fleet;
    if (!visited.ok) return visited;
  }
  return ok(null);
}

const folder = 'fleets';
const suffix = '.snapshot.json';

function pathOf(stateDir: string, account: Account): string {
  return join(stateDir, folder, `${accountKey(account)}${suffix}`);
}
