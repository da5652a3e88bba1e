import { setTimeout } from 'node:timers/promises';
import type { Store } from '../../control/store/open-store.ts';
import { databaseProblem } from '../../run/state/postgres/database-problem.ts';

/** How long a write may take, in milliseconds. */
const patienceMs = 3_000;
/** Probes come often, and from anyone: a write is tried at most once in this time, in milliseconds. */
const everyMs = 5_000;
/** The row that is written remains this long, in milliseconds. */
const rowMs = 3_600_000;

/**
 * Why the database can't be written; null if it can. A read is not enough: it succeeds with a full disk, and on a standby.
 * Calls at the same time share one write.
 */
export function createDatabaseProbe(
  { tickets }: Pick<Store, 'tickets'>,
  place: string,
  now: () => number,
): () => Promise<string | null> {
  let triedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<string | null> = Promise.resolve(null);
  const tryWrite = async (): Promise<string | null> => {
    const written = tickets.put('probe', 'write', null, rowMs).then(
      () => null,
      (error: unknown) => databaseProblem(error, place).message,
    );
    return Promise.race([
      written,
      setTimeout(patienceMs, `${place} did not answer within ${patienceMs / 1_000} s`, { ref: false }),
    ]);
  };
  return () => {
    if (now() - triedAt < everyMs) return latest;
    triedAt = now();
    latest = tryWrite();
    return latest;
  };
}
