import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../lib/clock.ts';
import { sha256Hex } from '../lib/hash.ts';
import type { Account } from '../model/account.ts';
import { type Problem, problem, warning } from '../problem/problem.ts';
import { failed, ok, type Result } from '../problem/result.ts';

/** One run an account at a time. */
export interface RunLock {
  release(): Promise<void>;
}

/** Who holds it, where, and since when. */
const holderSchema = z.object({ pid: z.int(), machine: z.string(), user: z.string(), since: z.string() });
export type LockHolder = z.infer<typeof holderSchema>;

export interface LockOptions {
  readonly stateDir: string;
  readonly account: Account;
  readonly clock: Clock;
  /** How long to wait for another run to end, in milliseconds. */
  readonly timeoutMs: number;
  readonly holder: LockHolder;
  /** Does a process of this machine still run? */
  readonly isAlive: (pid: number) => boolean;
  readonly signal?: AbortSignal;
}

const pollMs = 250;

export function lockPath(stateDir: string, account: Account): string {
  const key = sha256Hex(`${account.service}\n${account.companyId ?? ''}`).slice(0, 16);
  return join(stateDir, `lock-${key}.json`);
}

/**
 * Takes the lock, or waits for it. A lock whose process has died on this very machine is taken over, with a
 * warning; any other is held until `rampart unlock`.
 */
export async function acquireLock(options: LockOptions): Promise<Result<RunLock>> {
  const { clock, stateDir, account, holder } = options;
  const path = lockPath(stateDir, account);
  const giveUpAt = clock.now() + options.timeoutMs;
  const warnings: Problem[] = [];
  for (;;) {
    const taken = await tryCreate(stateDir, path, holder);
    if (taken === 'created') return ok({ release: () => rm(path, { force: true }) }, warnings);
    if (taken !== 'exists') return failed(taken);
    const other = await readLock(stateDir, account);
    if (other !== undefined && other.machine === holder.machine && !options.isAlive(other.pid)) {
      if (await removeDead(path, other, holder)) {
        warnings.push(warning('lock-held', `the run ${described(other)} has died: its lock is taken over`));
      }
      continue;
    }
    if (clock.now() >= giveUpAt || options.signal?.aborted === true) return failed(held(other, path));
    await clock.sleep(pollMs, options.signal);
  }
}

export async function readLock(stateDir: string, account: Account): Promise<LockHolder | undefined> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(lockPath(stateDir, account), 'utf8')));
  } catch {
    return undefined;
  }
}

/** True when there was a lock to break. */
export async function breakLock(stateDir: string, account: Account): Promise<boolean> {
  try {
    await rm(lockPath(stateDir, account));
    return true;
  } catch {
    return false;
  }
}

async function tryCreate(
  stateDir: string,
  path: string,
  holder: LockHolder,
): Promise<'created' | 'exists' | Problem> {
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(JSON.stringify(holder));
    await file.sync();
    await file.close();
    return 'created';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'EEXIST') return 'exists';
    return problem('journal', `the lock ${path} can't be written (${code})`, {
      hint: 'name a folder that can be written with --state-dir',
    });
  }
}

/**
 * Two processes may find the same dead lock: each moves the file to a name of its own first, and puts back what
 * turns out to be the other's new lock.
 */
async function removeDead(path: string, dead: LockHolder, self: LockHolder): Promise<boolean> {
  const aside = `${path}.${self.pid}`;
  try {
    await rename(path, aside);
    const moved = holderSchema.parse(JSON.parse(await readFile(aside, 'utf8')));
    const isDead = moved.pid === dead.pid && moved.since === dead.since;
    if (!isDead) await link(aside, path);
    await rm(aside, { force: true });
    return isDead;
  } catch {
    return false;
  }
}

function described({ pid, machine, user, since }: LockHolder): string {
  return `of ${user} on ${machine} (process ${pid}, since ${since})`;
}

function held(other: LockHolder | undefined, path: string): Problem {
  const who = other === undefined ? `of an unknown process (${path})` : described(other);
  return problem('lock-held', `another run is under way: the lock is that ${who}`, {
    hint: 'wait for it with --lock-timeout, or if you are sure that it is over: rampart unlock',
  });
}
