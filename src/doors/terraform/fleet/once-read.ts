import type { Result } from '../../../core/problem/result.ts';

/** A list that is read when it is first asked for, for all who ask. A failure is kept for nobody. */
export interface OnceRead<T> {
  get(): Promise<Result<T>>;
  /** The next who asks reads again. */
  forget(): void;
}

export function onceRead<T>(read: () => Promise<Result<T>>): OnceRead<T> {
  let kept: Promise<Result<T>> | undefined;
  return {
    get() {
      if (kept !== undefined) return kept;
      const reading = read().then((result) => {
        if (!result.ok && kept === reading) kept = undefined;
        return result;
      });
      kept = reading;
      return reading;
    },
    forget() {
      kept = undefined;
    },
  };
}
