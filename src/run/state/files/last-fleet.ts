import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, accountKey } from '../../../core/model/account.ts';
import { noFacts } from '../../../core/model/facts.ts';
import type { Observed } from '../../../core/model/observed.ts';
import { printSnapshot, readSnapshot, type Snapshot } from '../../../core/model/snapshot.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { replaceFile } from './replace-file.ts';

/** The fleet as the last run of an account left it: what drift is told by. */
export async function saveLastFleet(stateDir: string, account: Account, observed: Observed): Promise<void> {
  const path = pathOf(stateDir, account);
  await mkdir(join(stateDir, folder), { recursive: true });
  await replaceFile(path, printSnapshot({ account, observed, facts: noFacts }));
}

/** Null where no run of the account left one. */
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

/** Of whichever account it is; null where there is none that can be read. */
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

const folder = 'fleets';

function pathOf(stateDir: string, account: Account): string {
  return join(stateDir, folder, `${accountKey(account)}.snapshot.json`);
}
