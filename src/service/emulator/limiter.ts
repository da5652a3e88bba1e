/** How often one action can be called. */
export type RateLimit =
  | { readonly kind: 'token-bucket'; readonly perSecond: number; readonly burst: number }
  /** Windows begin at whole multiples of their length since the epoch. */
  | { readonly kind: 'fixed-window'; readonly windowMs: number; readonly calls: number }
  /** At most this many calls within any period of this length. */
  | { readonly kind: 'sliding-window'; readonly windowMs: number; readonly calls: number };

/** The limit that real clients see on lists. */
export const onceAMinute: RateLimit = { kind: 'sliding-window', windowMs: 60_000, calls: 1 };

/**
 * Checking and using up are separate calls, because only the result of a call shows whether it counts. Times are
 * milliseconds since the epoch and never decrease.
 */
export interface Limiter {
  /** 0 if a call may proceed, else the milliseconds until the next chance. */
  wait(now: number): number;
  /** Uses up one call. */
  take(now: number): void;
}

export function createLimiter(limit: RateLimit): Limiter {
  switch (limit.kind) {
    case 'token-bucket':
      return tokenBucket(limit.perSecond, limit.burst);
    case 'fixed-window':
      return fixedWindow(limit.windowMs, limit.calls);
    case 'sliding-window':
      return slidingWindow(limit.windowMs, limit.calls);
  }
}

const roundingError = 1e-9;

function tokenBucket(perSecond: number, burst: number): Limiter {
  let tokens = burst;
  let filledAt: number | undefined;
  const fill = (now: number): void => {
    tokens = Math.min(burst, tokens + ((now - (filledAt ?? now)) * perSecond) / 1000);
    filledAt = now;
  };
  return {
    wait(now) {
      fill(now);
      return tokens >= 1 - roundingError ? 0 : ((1 - tokens) * 1000) / perSecond;
    },
    take(now) {
      fill(now);
      tokens = Math.max(-burst, tokens - 1);
    },
  };
}

/** A used-up window remains used up, however many calls it refuses. */
function fixedWindow(windowMs: number, calls: number): Limiter {
  let window = Number.NaN;
  let taken = 0;
  const enter = (now: number): void => {
    const current = Math.floor(now / windowMs);
    if (current === window) return;
    window = current;
    taken = 0;
  };
  return {
    wait(now) {
      enter(now);
      return taken < calls ? 0 : (window + 1) * windowMs - now;
    },
    take(now) {
      enter(now);
      taken += 1;
    },
  };
}

function slidingWindow(windowMs: number, calls: number): Limiter {
  let times: number[] = [];
  return {
    wait(now) {
      times = times.filter((time) => time > now - windowMs);
      return times.length < calls ? 0 : (times[times.length - calls] as number) + windowMs - now;
    },
    take(now) {
      times.push(now);
    },
  };
}
