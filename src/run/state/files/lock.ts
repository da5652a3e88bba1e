import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../core/lib/clock.ts';
import { codeOf } from '../../../core/lib/error-code.ts';
import { type Account, accountKey } from '../../../core/model/account.ts';
import { type Problem, problem, warning } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { RunRecord } from '../journal/record.ts';
import { holdLease } from '../lease/hold-lease.ts';
import type { Lease } from '../lease/lease.ts';
import { describeHolder, type LockHolder, readHolder } from '../lease/lease-holder.ts';
import { leaseMs, mayTake } from '../lease/lease-rules.ts';
import { type Stopwatch, startStopwatch } from '../lease/stopwatch.ts';
import { isProcessAlive } from '../lease/this-process.ts';
import {
  createExclusively,
  fileSystemNow,
  modifiedAt,
  readIfThere,
  removeIfStill,
  writeAgainIfStill,
} from './lock-file.ts';
import { listRuns } from './read-runs.ts';
import { replaceFile } from './replace-file.ts';

export interface LockOptions extends FileLockOptions {
  readonly stateDir: string;
  readonly account: Account;
}

export interface FileLockOptions {
  readonly clock: Clock;
  /** How long to wait for another run to end, in milliseconds. */
  readonly timeoutMs: number;
  readonly holder: LockHolder;
  /** Is this process of this machine still running? `started` is the value that its holder recorded. */
  readonly isAlive: (pid: number, started?: string) => boolean;
  readonly onWait?: (holder: LockHolder | null) => void;
  readonly signal?: AbortSignal;
  /** Adds known details of the holder's run. */
  readonly describe?: (holder: LockHolder) => Promise<LockHolder>;
}

const pollMs = 250;

function lockPath(stateDir: string, account: Account): string {
  return join(stateDir, `lock-${accountKey(account)}.json`);
}

/**
 * Takes the lock, or waits for it. A lock is taken over, with a warning, if its process has died on this machine or its
 * holder has not renewed it in time. Any other lock is held until `rampart unlock`.
 */
export async function acquireLock(options: LockOptions): Promise<Result<Lease>> {
  const path = lockPath(options.stateDir, options.account);
  try {
    await mkdir(options.stateDir, { recursive: true, mode: 0o700 });
    return await acquireFile(path, { ...options, describe: (holder) => withRun(holder, options) });
  } catch (error) {
    return failed(
      problem('journal', `the lock ${path} can't be written (${codeOf(error)})`, {
        hint: 'choose a writable folder with --state-dir',
      }),
    );
  }
}

/** Takes the lock with this file, or waits for it. Rejects if the file can't be written. */
export async function acquireFile(path: string, options: FileLockOptions): Promise<Result<Lease>> {
  const { clock, signal, describe = async (holder) => holder } = options;
  const giveUpAt = clock.now() + options.timeoutMs;
  const warnings: Problem[] = [];
  let isWaiting = false;
  for (;;) {
    const asked = startStopwatch();
    const found = await readIfThere(path);
    const other = readHolder(found);
    if (found === undefined) {
      const epoch = 1 + (await readEpoch(path));
      // The token distinguishes two locks that one process takes at the same moment.
      const text = JSON.stringify({ ...options.holder, epoch, token: randomUUID() });
      if ((await createExclusively(path, text)) === 'created') {
        // Another run may have taken and released the lock since the epoch was read.
        if ((await readEpoch(path)) >= epoch) {
          await removeIfStill(path, text);
          continue;
        }
        await replaceFile(epochPath(path), String(epoch));
        return ok(leaseOn(path, text, { epoch, asked }), warnings);
      }
    } else if (other !== undefined) {
      const cause = isDead(other, options) ? 'died' : (await hasLapsed(path, other)) ? 'lapsed' : undefined;
      const end = cause === undefined ? undefined : await takeAway(path, found, { cause, other, options });
      if (end === 'taken') warnings.push(takenOver(other, cause));
      if (end !== undefined && end !== 'busy') continue;
    }
    if (signal?.aborted === true) return failed(problem('cancelled', 'stopped while waiting for the lock'));
    const left = giveUpAt - clock.now();
    const described = left > 0 && isWaiting ? undefined : other && (await describe(other));
    if (left <= 0) return failed(held(described, path));
    if (!isWaiting) options.onWait?.(described ?? null);
    isWaiting = true;
    await clock.sleep(Math.min(pollMs, left), signal);
  }
}

function takenOver(other: LockHolder, cause: 'died' | 'lapsed' | undefined): Problem {
  const why = cause === 'died' ? 'has died' : `has not renewed its lock for ${leaseMs / 1000} s`;
  return warning('lock-held', `the run ${describeHolder(other)} ${why}, so this run takes over its lock`);
}

function leaseOn(
  path: string,
  text: string,
  { epoch, asked }: { readonly epoch: number; readonly asked: Stopwatch },
): Lease {
  const isOurs = async () => readNow(path) === text;
  return holdLease({
    epoch,
    asked,
    confirm: isOurs,
    async renew() {
      // Another run may have removed the file while it was being written.
      return (await writeAgainIfStill(path, text)) && (await isOurs());
    },
    async release() {
      // The next run takes over a leftover lock, because its process is dead then.
      await removeIfStill(path, text).catch(() => undefined);
    },
  });
}

function epochPath(path: string): string {
  return join(dirname(path), `epoch-${basename(path, '.json')}`);
}

async function readEpoch(path: string): Promise<number> {
  return Number(await readIfThere(epochPath(path))) || 0;
}

function isDead(other: LockHolder, { holder, isAlive }: FileLockOptions): boolean {
  return other.machine === holder.machine && !isAlive(other.pid, other.started);
}

/** Uses the clock of the file system, which all machines that share the folder have in common. */
async function hasLapsed(path: string, { epoch = 0 }: LockHolder): Promise<boolean> {
  if (epoch === 0) return false;
  // The time is read first: a renewal after it can then only delay a takeover.
  const now = await fileSystemNow(path);
  const written = await modifiedAt(path);
  if (written === undefined) return false;
  return mayTake({ epoch, holder: path, until: written + leaseMs }, now);
}

interface Takeover {
  readonly cause: 'died' | 'lapsed';
  readonly other: LockHolder;
  readonly options: FileLockOptions;
}

/**
 * Two processes may find the same dead lock, and the slower one must not remove the new lock of the faster one. A
 * process that removes a lock therefore holds a second file meanwhile, and checks again.
 */
async function takeAway(
  path: string,
  found: string,
  { cause, other, options }: Takeover,
): Promise<'taken' | 'changed' | 'busy'> {
  const guard = `${path}.takeover`;
  const text = JSON.stringify({ ...options.holder, token: randomUUID() });
  if ((await createExclusively(guard, text)) === 'exists') {
    const other = await readIfThere(guard);
    const owner = readHolder(other);
    if (owner === undefined || !isDead(owner, options)) return 'busy';
    await removeIfStill(guard, other);
    return 'changed';
  }
  try {
    if (cause === 'lapsed') return (await seize(path, found, other)) ? 'taken' : 'changed';
    return (await removeIfStill(path, found)) ? 'taken' : 'changed';
  } finally {
    await rm(guard, { force: true });
  }
}

/**
 * The holder may still be alive and renew the lock at this moment. The file is renamed, which a renewal notices, and is
 * restored if it was renewed.
 */
async function seize(path: string, found: string, holder: LockHolder): Promise<boolean> {
  const taken = `${path}.${randomUUID()}`;
  try {
    await rename(path, taken);
    if ((await readIfThere(taken)) === found && (await hasLapsed(taken, holder))) return true;
    await link(taken, path).catch(() => undefined);
    return false;
  } catch (error) {
    // Its holder gave it back at this moment.
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(taken, { force: true });
  }
}

/** Undefined if there is no lock, or if its file can't be parsed. */
export async function readLock(stateDir: string, account: Account): Promise<LockHolder | undefined> {
  const text = await readIfThere(lockPath(stateDir, account)).catch(() => undefined);
  const holder = readHolder(text);
  return holder && withRun(holder, { stateDir, account });
}

/** The holder of the lock of a run, if that run has it now. */
export async function holderOfRun(
  stateDir: string,
  { account, epoch }: RunRecord,
): Promise<LockHolder | undefined> {
  const path = lockPath(stateDir, { companyId: account.company_id, service: account.service });
  const holder = readHolder(await readIfThere(path).catch(() => undefined));
  if (holder === undefined || epoch === undefined || holder.epoch !== epoch) return undefined;
  if (holder.machine === hostname() && !isProcessAlive(holder.pid, holder.started)) return undefined;
  // A folder that can't be written has no clock.
  return (await hasLapsed(path, holder).catch(() => false)) ? undefined : holder;
}

/** The run that holds the lock is the latest run of the account, if it is of the same epoch. */
async function withRun(
  holder: LockHolder,
  { stateDir, account }: Pick<LockOptions, 'stateDir' | 'account'>,
): Promise<LockHolder> {
  if (holder.epoch === undefined) return holder;
  const listed = await listRuns(stateDir, { account, limit: 1 });
  const head = listed.ok ? listed.value[0]?.head : undefined;
  return head?.epoch === holder.epoch ? { ...holder, run: head.run_id } : holder;
}

/** All lock holders; a file that can't be parsed is left out. */
export async function listLocks(stateDir: string): Promise<readonly LockHolder[]> {
  const names = await readdir(stateDir).catch(() => []);
  const paths = names.filter((name) => /^lock-\w+\.json$/.test(name)).map((name) => join(stateDir, name));
  const holders = await Promise.all(
    paths.map(async (path) => {
      const holder = readHolder(await readIfThere(path).catch(() => undefined));
      return holder !== undefined && !(await hasLapsed(path, holder)) ? holder : undefined;
    }),
  );
  return holders.filter((holder) => holder !== undefined);
}

/** The value is true if there was a lock to break. */
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

/** Asked before each group of records: an asynchronous read would hold all of them up. */
function readNow(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
