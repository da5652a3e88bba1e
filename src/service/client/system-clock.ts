import type { Clock } from '../../core/lib/surroundings.ts';

/** The longest delay that a timer accepts; a longer one would fire immediately. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    for (let left = ms; left > 0 && !signal?.aborted; left -= longestTimer) {
      await timer(Math.min(left, longestTimer), signal);
    }
  },
};

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(handle);
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const handle = setTimeout(stop, ms);
    signal?.addEventListener('abort', stop);
  });
}
