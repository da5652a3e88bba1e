import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../../core/lib/error-code.ts';
import { type Account, accountKey, accountOfRecord } from '../../../core/model/account.ts';
import { failed, ok, type Problem, problem, type Result, warning } from '../../../core/problem/problem.ts';
import type { RunRecord } from '../journal/record.ts';
import { holdLease, type Lease } from '../lease/lease.ts';
import { describeHolder, type LockHolder } from '../lease/lease-holder.ts';
import { leaseMs } from '../lease/lease-rules.ts';
import { type Stopwatch, startStopwatch } from '../lease/stopwatch.ts';
import { hasDiedHere } from '../lease/this-process.ts';
import { type LockRequest, waitForLock } from '../lease/wait-for-lock.ts';
import { epochFile } from './lock-epochs.ts';
import { writeAgainIfStill } from './lock-file.ts';
import {
  freeEpoch,
  type HeldFile,
  hasLapsed,
  passesFence,
  readLockFolder,
  type TakenLock,
  takeLock,
} from './lock-folder.ts';
import { listRuns } from './read-runs.ts';
import { makeFolder } from './replace-file.ts';
import { unwritable } from './unwritable.ts';

export interface LockOptions extends FileLockOptions {
  readonly stateDir: string;
  readonly account: Account;
}

export interface FileLockOptions extends LockRequest {
  /** Is this process of this machine still running? `started` is the value that its holder recorded. */
  readonly isAlive: (pid: number, started?: string) => boolean;
  /** Adds known details of the holder's run. */
  readonly describe?: (holder: LockHolder) => Promise<LockHolder>;
}

const pollMs = 250;

function lockFolder(stateDir: string, account: Account): string {
  return join(stateDir, `lock-${accountKey(account)}`);
}

/**
 * Takes the lock, or waits for it. A lock is taken over, with a warning, if its process has died on this machine or its
 * holder has not renewed it in time. Any other lock is held until `rampart state unlock`.
 */
export async function acquireLock(options: LockOptions): Promise<Result<Lease>> {
  const folder = lockFolder(options.stateDir, options.account);
  try {
    return await acquireFolder(folder, { ...options, describe: (holder) => withRun(holder, options) });
  } catch (error) {
    return failed(unwritable(`the lock ${folder}`, error));
  }
}

/** Takes the lock in this folder, or waits for it. Rejects if the folder can't be written. */
export async function acquireFolder(folder: string, options: FileLockOptions): Promise<Result<Lease>> {
  const { describe = async (holder) => holder } = options;
  makeFolder(folder, 0o700);
  return waitForLock(options, pollMs, async () => {
    for (;;) {
      const asked = startStopwatch();
      const found = await readLockFolder(folder);
      const { blocking, warnings } = await judge(found.held, options);
      if (blocking !== undefined) {
        const { holder, path } = blocking;
        return {
          holder: async () => (holder === undefined ? null : describe(holder)),
          unknown: `of an unknown process (${path})`,
        };
      }
      const taken = await takeLock(folder, found, options.holder);
      if (taken !== undefined) return ok(leaseOn(taken, asked), warnings);
    }
  });
}

interface Judgment {
  /** The file whose holder may still be working. */
  readonly blocking?: HeldFile;
  readonly warnings: readonly Problem[];
}

async function judge(file: HeldFile | undefined, options: FileLockOptions): Promise<Judgment> {
  if (file === undefined) return { warnings: [] };
  const { path, holder } = file;
  if (holder === undefined) return { blocking: file, warnings: [] };
  const cause = isDead(holder, options) ? 'died' : (await hasLapsed(path, holder)) ? 'lapsed' : undefined;
  return cause === undefined ? { blocking: file, warnings: [] } : { warnings: [takenOver(holder, cause)] };
}

function takenOver(other: LockHolder, cause: 'died' | 'lapsed'): Problem {
  const why = cause === 'died' ? 'has died' : `has not renewed its lock for ${leaseMs / 1000} s`;
  return warning('lock-held', `the run ${describeHolder(other)} ${why}, so this run takes over its lock`);
}

function leaseOn(taken: TakenLock, asked: Stopwatch): Lease {
  const { folder, epoch, text } = taken;
  return holdLease({
    epoch,
    asked,
    confirm: async () => passesFence(taken),
    async renew() {
      // Another run may have taken the lock over while the file was being written.
      return (await writeAgainIfStill(join(folder, epochFile(epoch)), text)) && passesFence(taken);
    },
    async release() {
      // The next run takes over a leftover lock, because its process is dead then.
      await freeEpoch(folder, epoch).catch(() => undefined);
    },
  });
}

function isDead(other: LockHolder, { holder, isAlive }: FileLockOptions): boolean {
  return other.machine === holder.machine && !isAlive(other.pid, other.started);
}

/** Undefined if the lock is free, or if its file can't be parsed. */
export async function readLock(stateDir: string, account: Account): Promise<LockHolder | undefined> {
  const found = await heldIn(lockFolder(stateDir, account));
  return found && withRun(found.holder, { stateDir, account });
}

/** The holder of the lock of a run, if that run has it now. */
export async function holderOfRun(
  stateDir: string,
  { account, epoch }: RunRecord,
): Promise<LockHolder | undefined> {
  const folder = lockFolder(stateDir, accountOfRecord(account));
  const found = await heldIn(folder);
  if (found === undefined || epoch === undefined || found.holder.epoch !== epoch) return undefined;
  const { path, holder } = found;
  if (hasDiedHere(holder)) return undefined;
  // A folder that can't be written has no clock.
  return (await hasLapsed(path, holder).catch(() => false)) ? undefined : holder;
}

/** Undefined if the lock is free, if its file can't be parsed, or if the folder can't be read. */
async function heldIn(folder: string): Promise<(HeldFile & { readonly holder: LockHolder }) | undefined> {
  const { path, holder } = (await readLockFolder(folder).catch(() => undefined))?.held ?? {};
  return path === undefined || holder === undefined ? undefined : { path, holder };
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
  const folders = names.filter((name) => /^lock-\w+$/.test(name));
  const holders = await Promise.all(
    folders.map(async (name) => {
      const found = await heldIn(join(stateDir, name));
      return found === undefined || (await hasLapsed(found.path, found.holder)) ? undefined : found.holder;
    }),
  );
  return holders.filter((holder) => holder !== undefined);
}

/** The value is true if there was a lock to break, of this epoch if it is given. */
export async function breakLock(
  stateDir: string,
  account: Account,
  wanted?: number,
): Promise<Result<boolean>> {
  const folder = lockFolder(stateDir, account);
  try {
    const { epoch, held } = await readLockFolder(folder);
    const isBroken = held !== undefined && (wanted ?? epoch) === epoch;
    if (isBroken) await freeEpoch(folder, epoch);
    return ok(isBroken);
  } catch (error) {
    return failed(problem('journal', `the lock ${folder} can't be removed (${codeOf(error)})`));
  }
}
