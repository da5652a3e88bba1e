import type { HostId, Observed } from '../../core/model/observed.ts';
import type { Result } from '../../core/problem/problem.ts';
import type { FleetReader } from '../../service/wire/fleet.ts';
import type { LatestRead } from './latest-read.ts';

/** Lists are scarce, so all steps in doubt share one read that began after each of them asked. */
export interface Reread {
  names(): Promise<Result<ReadonlyMap<HostId, string | null>>>;
  fleet(): Promise<Result<Observed>>;
  /** The fleet including the anti-virus list. */
  antivirus(): Promise<Result<Observed>>;
}

export function createReread(
  reader: FleetReader,
  latestRead: Pick<LatestRead, 'sawNames' | 'sawFleet'>,
): Reread {
  const readFleet = async (antivirus: boolean) => {
    const read = await reader.read({ antivirus });
    if (read.ok) latestRead.sawFleet(read.value);
    return read;
  };
  return {
    names: shared(async () => {
      const read = await reader.readNames();
      if (read.ok) latestRead.sawNames(read.value);
      return read;
    }),
    fleet: shared(() => readFleet(false)),
    antivirus: shared(() => readFleet(true)),
  };
}

/** Callers that arrive during a read share the next one, because that read may not show their call. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let latest: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    next = undefined;
    const started = read();
    latest = started;
    return started;
  };
  return () => (next ??= latest.then(start, start));
}
