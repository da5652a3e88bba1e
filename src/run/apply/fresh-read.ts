import type { Clock } from '../../core/lib/surroundings.ts';
import { untilAborted } from '../../core/lib/until-aborted.ts';
import type { Problem, Result } from '../../core/problem/problem.ts';
import type { LatestRead, Reread } from './latest-read.ts';

export interface FreshReadOptions {
  readonly reread: Reread;
  readonly latestRead: LatestRead;
  readonly stop: AbortSignal;
  readonly clock: Clock;
  /** No deletion relies on an older read, in milliseconds. */
  readonly maxReadAgeMs?: number;
}

export interface FreshRead {
  /** Makes sure that the latest read is recent enough; a problem if no such read is possible. */
  refresh(): Promise<Problem | undefined>;
  /** Has the latest read become too old while the call waited for its turn? */
  isReadTooOld(): boolean;
}

/** The default maximum age of the read that a deletion relies on. */
export const defaultMaxReadAgeMs = 60_000;

/**
 * A call that has missed its turn this often is abandoned: the service accepts deletions more slowly than reads become
 * too old.
 */
const mostReads = 4;

/**
 * An irreversible call relies on a recent read. The list is read again if the latest read is older than `maxReadAgeMs`,
 * even if the call was waiting for its turn for that long. The list has its own limit, so this read may wait like any
 * other call.
 */
export function freshRead({
  reread,
  latestRead,
  stop,
  clock,
  maxReadAgeMs = defaultMaxReadAgeMs,
}: FreshReadOptions): FreshRead {
  const isReadTooOld = () => clock.now() - latestRead.readAt > maxReadAgeMs;
  let reads = 0;
  return {
    isReadTooOld,
    async refresh() {
      if (!isReadTooOld()) return undefined;
      reads += 1;
      if (reads > mostReads)
        return left('each read was too old when the call was due', 'raise --max-read-age');
      // A stopped run does not wait for a list.
      const read = await untilAborted<Result<unknown> | undefined>(reread.fleet(), stop, () => undefined);
      if (read === undefined) return left('the run was stopped', 'apply again to continue');
      if (read.ok) return undefined;
      const [cause] = read.problems;
      return cause === undefined ? left('the list could not be read again', 'apply again') : unread(cause);
    },
  };
}

function unread(cause: Problem): Problem {
  return {
    ...cause,
    message: `the deletion was not sent because the list could not be read again: ${cause.message}`,
  };
}

function left(why: string, hint: string): Problem {
  return { code: 'step-failed', severity: 'error', message: `the deletion was not sent: ${why}`, hint };
}
