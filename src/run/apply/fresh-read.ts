import type { Clock } from '../../core/lib/clock.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { LatestRead } from './latest-read.ts';
import type { Reread } from './reread.ts';

export interface FreshReadOptions {
  readonly reread: Reread;
  readonly latestRead: LatestRead;
  readonly stop: AbortSignal;
  readonly clock: Clock;
  /** No deletion is sent on a read that is older, in milliseconds. */
  readonly maxReadAgeMs?: number;
}

export interface FreshRead {
  /** Makes sure that the latest read is recent enough; a problem if no such read can be had. */
  refresh(): Promise<Problem | undefined>;
  /** Has the latest read become too old while the call waited for its turn? */
  isReadTooOld(): boolean;
}

/** How old the read may be that a deletion relies on, if nobody says otherwise. */
export const defaultMaxReadAgeMs = 60_000;

/** A call that has missed its turn so often is left: the service accepts deletions more slowly than reads grow old. */
const mostReads = 4;

/**
 * What no call takes back relies on a recent read: the list is read again where the latest one is older than
 * `maxReadAgeMs`, also when the call waited so long for its turn. The list has a limit of its own, so this read may
 * wait as any other call does.
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
      const read = await untilStopped(reread.fleet(), stop);
      if (read === undefined) return left('the run was stopped', 'apply again to continue');
      if (read.ok) return undefined;
      const [cause] = read.problems;
      return cause === undefined ? left('the list could not be read again', 'apply again') : unread(cause);
    },
  };
}

/** Undefined if the run is stopped first: nothing waits for a list that nobody needs any more. */
async function untilStopped<T>(reading: Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  if (stop.aborted) return undefined;
  const stopped = new Promise<undefined>((resolve) => {
    stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([reading, stopped]);
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
