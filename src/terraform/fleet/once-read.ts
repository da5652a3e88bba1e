import type { Result } from '../../core/problem/result.ts';

/** A list that is read on first use and shared. Failures are not kept. */
export interface OnceRead<T> {
  get(): Promise<Result<T>>;
  /** The next caller reads again. */
  forget(): void;
}

export function onceRead<T>(read: () => Promise<Result<T>>): OnceRead<T> {
  let cached: Promise<Result<T>> | undefined;
  return {
    get() {
      if (cached !== undefined) return cached;
      const reading = read().then((result) => {
        if (!result.ok && cached === reading) cached = undefined;
        return result;
      });
      cached = reading;
      return reading;
    },
    forget() {
      cached = undefined;
    },
  };
}
