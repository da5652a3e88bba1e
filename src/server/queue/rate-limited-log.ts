/** One line for each kind of message in this time, in milliseconds. */
const quietMs = 10_000;
const mostKinds = 50;

/**
 * Passes on a message at most once in ten seconds, with the number of times it came in between. While a database is
 * away, every poll fails.
 */
export function createRateLimitedLog(
  write: (message: string, repeated: number) => void,
  now: () => number = () => performance.now(),
): (message: string) => void {
  const kinds = new Map<string, { at: number; repeated: number }>();
  return (message) => {
    // The ids of queues and workers differ, and the failure is the same.
    const kind = message.replace(/ \(Queue: .*$/, '');
    const seen = kinds.get(kind);
    if (seen !== undefined && now() - seen.at < quietMs) {
      seen.repeated += 1;
      return;
    }
    if (kinds.size >= mostKinds) kinds.clear();
    kinds.set(kind, { at: now(), repeated: 0 });
    write(kind, seen?.repeated ?? 0);
  };
}
