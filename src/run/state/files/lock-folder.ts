import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../../core/lib/error-code.ts';
import { type LockHolder, readHolder } from '../lease/lease-holder.ts';
import { leaseMs, mayTake } from '../lease/lease-rules.ts';
import { epochFile, fenceOf, freeFile, hasWon, highestIn, lastEpoch, removableBelow } from './lock-epochs.ts';
import { createExclusively, fileSystemNow, ifThere, modifiedAt, readIfThere } from './lock-file.ts';

/** A lock is a folder of epochs. */
export interface LockState {
  /** The highest epoch so far; zero if there is none. */
  readonly epoch: number;
  /** The file that holds the lock; undefined if the lock is free. */
  readonly held: HeldFile | undefined;
}

export interface HeldFile {
  readonly path: string;
  /** Undefined if the file can't be parsed. */
  readonly holder: LockHolder | undefined;
}

/** What its holder knows about a lock that it took. */
export interface TakenLock {
  readonly folder: string;
  readonly epoch: number;
  readonly text: string;
}

/** Rejects if the files can't be read. */
export async function readLockFolder(folder: string): Promise<LockState> {
  for (;;) {
    const { epoch, isFree } = highestIn(await namesIn(folder));
    if (epoch === 0 || isFree) return { epoch, held: undefined };
    const path = join(folder, epochFile(epoch));
    const text = await readIfThere(path);
    // The next holder has removed it in the meantime.
    if (text === undefined && highestIn(await namesIn(folder)).epoch > epoch) continue;
    return { epoch, held: { path, holder: readHolder(text) } };
  }
}

/** Undefined if another process was faster. The caller has found that nobody holds the lock in this state. */
export async function takeLock(
  folder: string,
  state: LockState,
  holder: LockHolder,
): Promise<TakenLock | undefined> {
  if (state.epoch === lastEpoch) throw Object.assign(new Error(), { code: 'its files are forged' });
  const epoch = state.epoch + 1;
  // The token distinguishes two locks that one process takes at the same moment.
  const text = JSON.stringify({ ...holder, epoch, token: randomUUID() });
  if ((await createExclusively(join(folder, epochFile(epoch)), text)) === 'exists') return undefined;
  const names = await namesIn(folder);
  if (!hasWon(names, epoch)) return undefined;
  for (const name of removableBelow(names, epoch)) await rm(join(folder, name), { force: true });
  return { folder, epoch, text };
}

/** Asked before each group of records: asynchronous reads would hold all of them up. */
export function passesFence({ folder, epoch, text }: TakenLock): boolean {
  return fenceOf(epoch).every(
    ({ file, must }) => readNow(join(folder, file)) === (must === 'be its own' ? text : undefined),
  );
}

/** Does nothing if the epoch is free already. */
export async function freeEpoch(folder: string, epoch: number): Promise<void> {
  try {
    await (await open(join(folder, freeFile(epoch)), 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Uses the clock of the file system, which all machines that share the folder have in common. */
export async function hasLapsed(path: string, { epoch = 0 }: LockHolder): Promise<boolean> {
  if (epoch === 0) return false;
  // The time is read first: a renewal after it can then only delay a takeover.
  const now = await fileSystemNow(path);
  const written = await modifiedAt(path);
  if (written === undefined) return false;
  return mayTake({ epoch, holder: path, until: written + leaseMs }, now);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await ifThere(readdir(folder))) ?? [];
}

function readNow(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
