/** A service's limit: it takes each arrival in order of time (ms), and returns whether the call is accepted. */
export interface Limiter {
  take(now: number): boolean;
  /** How many calls the limit grants from 0 to `now`, at its nominal rate. */
  granted(now: number): number;
}

/** `rateAt` gives the calls a second at a time; it may change at whole seconds only. */
export function tokenBucket(burst: number, rateAt: (now: number) => number): Limiter {
  let tokens = burst;
  let filledAt = 0;
  return {
    take(now) {
      tokens = Math.min(burst, tokens + grantedBetween(filledAt, now, rateAt));
      filledAt = now;
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    granted: (now) => grantedBetween(0, now, rateAt),
  };
}

function grantedBetween(from: number, to: number, rateAt: (now: number) => number): number {
  let granted = 0;
  for (let at = from; at < to; ) {
    const until = Math.min(to, Math.floor(at / 1000) * 1000 + 1000);
    granted += (rateAt(at) * (until - at)) / 1000;
    at = until;
  }
  return granted;
}

export function fixedWindow(count: number, windowMs: number): Limiter {
  let window = -1;
  let taken = 0;
  return {
    take(now) {
      const current = Math.floor(now / windowMs);
      if (current !== window) taken = 0;
      window = current;
      if (taken >= count) return false;
      taken += 1;
      return true;
    },
    granted: (now) => (count * now) / windowMs,
  };
}

export function slidingWindow(count: number, windowMs: number): Limiter {
  const times: number[] = [];
  return {
    take(now) {
      while (times[0] !== undefined && times[0] <= now - windowMs) times.shift();
      if (times.length >= count) return false;
      times.push(now);
      return true;
    },
    granted: (now) => (count * now) / windowMs,
  };
}
