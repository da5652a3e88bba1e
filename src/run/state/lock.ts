import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/lib/clock.ts';
import { type Account, accountKey } from '../../core/model/account.ts';
import { type Problem, problem, warning } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { codeOf, createExclusively, readIfThere, removeIfStill } from './lock-file.ts';
import { describeHolder, type LockHolder, readHolder } from './lock-holder.ts';

export type { LockHolder } from './lock-holder.ts';

/** One run an account at a time. */
export interface RunLock {
  /** Gives the lock back, unless somebody broke it and another run has it now. */
  release(): Promise<void>;
}

export interface LockOptions {
  readonly stateDir: string;
  readonly account: Account;
  readonly clock: Clock;
  /** How long to wait for another run to end, in milliseconds. */
  readonly timeoutMs: number;
  readonly holder: LockHolder;
  /** Does this process of this machine still run? `started` is as its holder gave it. */
  readonly isAlive: (pid: number, started?: string) => boolean;
  readonly signal?: AbortSignal;
}

const pollMs = 250;

function lockPath(stateDir: string, account: Account): string {
  return join(stateDir, `lock-${accountKey(account)}.json`);
}

/**
 * Takes the lock, or waits for it. A lock whose process has died on this very machine is taken over, with a
 * warning; any other is held until `rampart unlock`.
 */
export async function acquireLock(options: LockOptions): Promise<Result<RunLock>> {
  const path = lockPath(options.stateDir, options.account);
  try {
    await mkdir(options.stateDir, { recursive: true, mode: 0o700 });
    return await waitForLock(path, options);
  } catch (error) {
    return failed(
      problem('journal', `the lock ${path} can't be written (${codeOf(error)})`, {
        hint: 'choose a writable folder with --state-dir',
      }),
    );
  }
}

async function waitForLock(path: string, options: LockOptions): Promise<Result<RunLock>> {
  const { clock, signal } = options;
  const giveUpAt = clock.now() + options.timeoutMs;
  const warnings: Problem[] = [];
  // The token tells two locks apart that one process takes in one moment.
  const text = JSON.stringify({ ...options.holder, token: randomUUID() });
  for (;;) {
    if ((await createExclusively(path, text)) === 'created') return ok(lockOn(path, text), warnings);
    const found = await readIfThere(path);
    const other = readHolder(found);
    if (other !== undefined && isDead(other, options)) {
      const end = await takeAway(path, found, options);
      if (end === 'taken') {
        warnings.push(
          warning('lock-held', `the run ${describeHolder(other)} has died, so this run takes over its lock`),
        );
      }
      if (end !== 'busy') continue;
    }
    if (signal?.aborted === true) return failed(problem('cancelled', 'stopped while waiting for the lock'));
    const left = giveUpAt - clock.now();
    if (left <= 0) return failed(held(other, path));
    await clock.sleep(Math.min(pollMs, left), signal);
  }
}

function lockOn(path: string, text: string): RunLock {
  return {
    async release() {
      // A lock that stays behind is taken over by the next run, as its process is dead then.
      await removeIfStill(path, text).catch(() => undefined);
    },
  };
}

function isDead(other: LockHolder, { holder, isAlive }: LockOptions): boolean {
  return other.machine === holder.machine && !isAlive(other.pid, other.started);
}

/**
 * Two processes may find the same dead lock, and the slower must not remove the new lock of the faster: who
 * removes one holds a second file meanwhile, and looks again.
 */
async function takeAway(
  path: string,
  dead: string | undefined,
  options: LockOptions,
): Promise<'taken' | 'changed' | 'busy'> {
  const guard = `${path}.takeover`;
  const text = JSON.stringify({ ...options.holder, token: randomUUID() });
  if ((await createExclusively(guard, text)) === 'exists') {
    const found = await readIfThere(guard);
    const other = readHolder(found);
    if (other === undefined || !isDead(other, options)) return 'busy';
    await removeIfStill(guard, found);
    return 'changed';
  }
  try {
    return (await removeIfStill(path, dead)) ? 'taken' : 'changed';
  } finally {
    await rm(guard, { force: true });
  }
}

/** Undefined where there is no lock, and where its file can't be understood. */
export async function readLock(stateDir: string, account: Account): Promise<LockHolder | undefined> {
  return readHolder(await readIfThere(lockPath(stateDir, account)).catch(() => undefined));
}

/** The value is true when there was a lock to break. */
export async function breakLock(stateDir: string, account: Account): Promise<Result<boolean>> {
  const path = lockPath(stateDir, account);
  try {
    await rm(`${path}.takeover`, { force: true });
    await rm(path);
    return ok(true);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ok(false);
    return failed(problem('journal', `the lock ${path} can't be removed (${codeOf(error)})`));
  }
}

function held(other: LockHolder | undefined, path: string): Problem {
  const who = other === undefined ? `of an unknown process (${path})` : describeHolder(other);
  return problem('lock-held', `another run is in progress: it holds the lock ${who}`, {
    hint: 'wait for it with --lock-timeout, or if you are sure that it has ended, run: rampart unlock',
  });
}
