/** Aborts once all of them have. If one is missing, it never aborts. */
export function whenAllAborted(signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const all = new AbortController();
  let left = signals.length;
  for (const signal of signals) {
    const count = () => {
      left -= 1;
      if (left === 0) all.abort();
    };
    if (signal?.aborted === true) count();
    else signal?.addEventListener('abort', count, { once: true });
  }
  return all.signal;
}
