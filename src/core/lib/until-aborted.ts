/** The result of work that goes on, or what `leave` returns as soon as the signal is aborted. */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  leave: () => T | Promise<T>,
): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => resolve(leave());
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    // Work that nobody waits for anymore may still fail.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
