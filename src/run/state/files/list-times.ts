import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Account, accountKey } from '../../../core/model/account.ts';
import type { ListTime } from '../interface/state.ts';
import { makeFolder, replaceFile } from './replace-file.ts';

/** Made when a file is there: zod takes as long to load as Node takes to start. */
const schema = () =>
  z.array(z.object({ action: z.string(), read_at: z.number(), every_ms: z.number().nullable() }));

/** None if none were saved, or if the file can't be parsed. */
export async function readListTimes(stateDir: string, account: Account): Promise<readonly ListTime[]> {
  const now = Date.now();
  const path = pathOf(stateDir, account);
  // Most accounts have no file yet, and an error with its stack costs more than this look.
  if (!existsSync(path)) return [];
  try {
    const text = await readFile(path, 'utf8');
    const saved = schema().parse(JSON.parse(text));
    // A time in the future comes from a wrong clock.
    return saved
      .filter(({ read_at }) => read_at <= now)
      .map(({ action, read_at, every_ms }) => ({ action, ageMs: now - read_at, everyMs: every_ms }));
  } catch {
    return [];
  }
}

/** If two processes save at the same moment, the later one wins: a lost time costs one refused call. */
export async function saveListTimes(
  stateDir: string,
  account: Account,
  times: readonly ListTime[],
): Promise<void> {
  const now = Date.now();
  const own = new Set(times.map(({ action }) => action));
  const others = (await readListTimes(stateDir, account)).filter(({ action }) => !own.has(action));
  const lines = [...others, ...times].map(({ action, ageMs, everyMs }) => ({
    action,
    read_at: now - ageMs,
    every_ms: everyMs,
  }));
  makeFolder(stateDir, 0o700);
  await replaceFile(pathOf(stateDir, account), JSON.stringify(lines), { mode: 0o600 });
}

function pathOf(stateDir: string, account: Account): string {
  return join(stateDir, `lists-${accountKey(account)}.json`);
}
