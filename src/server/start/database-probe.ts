import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { databaseProblem, isFullDisk } from '../../run/state/postgres/database-problem.ts';
import type { Store } from '../store/open-store.ts';

/** How long a write may take, in milliseconds. */
const patienceMs = 3_000;
/** Probes come often, and from anyone: a write is tried at most once in this time, in milliseconds. */
const everyMs = 5_000;
/** The row that is written remains this long, in milliseconds. */
const rowMs = 3_600_000;
/** The embedded database needs this for its log and for sorting. */
const leastFreeBytes = 128 * 1024 * 1024;
/** PostgreSQL reserves space in its files and its log, so that a smaller write succeeds on a full disk. */
const largeBytes = 1024 * 1024;

export interface DatabaseProbe {
  /** Notes that a statement failed: one for which the disk has no space counts until a large write succeeds. */
  readonly hear: (error: unknown) => void;
  /** Why the database can't be written; null if it can. Calls at the same time share one write. */
  readonly fault: (database: ProbedDatabase) => Promise<string | null>;
}

export interface ProbedDatabase {
  readonly store: Pick<Store, 'tickets'>;
  readonly place: string;
  /** The bytes that are free where this process itself keeps the database; undefined if another program keeps it. */
  readonly freeBytes?: () => number;
}

/** A read is not enough: it succeeds with a full disk, and on a standby. `now` is in milliseconds. */
export function createDatabaseProbe(now: () => number): DatabaseProbe {
  let triedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<string | null> = Promise.resolve(null);
  let isFull = false;
  const write = async ({ store, place }: ProbedDatabase): Promise<string | null> => {
    const wasFull = isFull;
    const value = wasFull ? randomBytes(largeBytes).toString('base64') : null;
    try {
      await store.tickets.put('probe', 'write', value, rowMs);
      if (wasFull) isFull = false;
      return null;
    } catch (error) {
      return databaseProblem(error, place).message;
    }
  };
  const tryWrite = async (database: ProbedDatabase): Promise<string | null> => {
    if (database.freeBytes !== undefined && database.freeBytes() < leastFreeBytes)
      return `${database.place} has less than ${leastFreeBytes / 1024 / 1024} MiB of free space on its disk`;
    return Promise.race([
      write(database),
      setTimeout(patienceMs, `${database.place} did not answer within ${patienceMs / 1_000} s`, {
        ref: false,
      }),
    ]);
  };
  return {
    hear(error) {
      if (isFullDisk(error)) isFull = true;
    },
    fault(database) {
      if (now() - triedAt < everyMs) return latest;
      triedAt = now();
      latest = tryWrite(database);
      return latest;
    },
  };
}
