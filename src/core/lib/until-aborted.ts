/** The result of work that goes on, or what `leave` returns as soon as the signal is aborted. */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  leave: () => T | Promise<T>,
): Promise<T> {
  if (signal === undefined) return work;
  if (signal.aborted) return Promise.resolve(leave());
  return new Promise((resolve, reject) => {
    const abort = () => resolve(leave());
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
