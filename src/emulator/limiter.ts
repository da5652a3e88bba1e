/** How often one action can be called. */
export type RateLimit =
  | { readonly kind: 'token-bucket'; readonly perSecond: number; readonly burst: number }
  /** Windows begin at whole multiples of their length since the epoch. */
  | { readonly kind: 'fixed-window'; readonly windowMs: number; readonly calls: number }
  /** No more than so many calls within any stretch of this length. */
  | { readonly kind: 'sliding-window'; readonly windowMs: number; readonly calls: number };

/** What real clients see on lists and on the making of reports. */
export const onceAMinute: RateLimit = { kind: 'sliding-window', windowMs: 60_000, calls: 1 };

/** Takes one call: 0 when it may go on, else how many milliseconds to wait for the next chance. */
export type Limiter = (now: number) => number;

export interface LimiterOptions {
  /** Calls that are refused use up the limit too. */
  readonly refusedCallsCount: boolean;
}

export function createLimiter(limit: RateLimit, options: LimiterOptions): Limiter {
  switch (limit.kind) {
    case 'token-bucket':
      return tokenBucket(limit.perSecond, limit.burst, options);
    case 'fixed-window':
      return fixedWindow(limit.windowMs, limit.calls);
    case 'sliding-window':
      return slidingWindow(limit.windowMs, limit.calls, options);
  }
}

const roundingError = 1e-9;

function tokenBucket(perSecond: number, burst: number, options: LimiterOptions): Limiter {
  let tokens = burst;
  let filledAt: number | undefined;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - (filledAt ?? now)) * perSecond) / 1000);
    filledAt = now;
    const room = tokens >= 1 - roundingError;
    if (room || options.refusedCallsCount) tokens = Math.max(-burst, tokens - 1);
    return room ? 0 : ((1 - tokens) * 1000) / perSecond;
  };
}

/** A window that is used up is used up, however many calls it refuses. */
function fixedWindow(windowMs: number, calls: number): Limiter {
  let window = Number.NaN;
  let taken = 0;
  return (now) => {
    const current = Math.floor(now / windowMs);
    if (current !== window) {
      window = current;
      taken = 0;
    }
    const room = taken < calls;
    if (room) taken += 1;
    return room ? 0 : (current + 1) * windowMs - now;
  };
}

function slidingWindow(windowMs: number, calls: number, options: LimiterOptions): Limiter {
  let times: number[] = [];
  return (now) => {
    times = times.filter((time) => time > now - windowMs);
    const room = times.length < calls;
    if (room || options.refusedCallsCount) times.push(now);
    return room ? 0 : (times[times.length - calls] as number) + windowMs - now;
  };
}
