/** The longest time that one request may take, from its dispatch to the last byte of its response. */
export interface RequestBound {
  readonly ms: number;
  /** Added for each MiB that has arrived, so that a large list over a slow line is not cut. */
  readonly msPerMiB: number;
}

const defaultMs = 5 * 60_000;
const leastDefaultMs = 60_000;
/** About 35 kB a second: slower than any line that is fit for lists of whole fleets. */
const defaultMsPerMiB = 30_000;

export interface BoundChoice {
  /** What the user allows in all, whatever the size. */
  readonly requestTimeoutMs?: number | undefined;
  readonly maxWaitMs?: number | undefined;
}

/** What the user set, or else the longest wait for a rate limit (at least a minute) and more for what has arrived. */
export function requestBound({ requestTimeoutMs, maxWaitMs = defaultMs }: BoundChoice): RequestBound {
  return requestTimeoutMs === undefined
    ? { ms: Math.max(leastDefaultMs, maxWaitMs), msPerMiB: defaultMsPerMiB }
    : { ms: requestTimeoutMs, msPerMiB: 0 };
}

/** Milliseconds that a request may take of which so many bytes have arrived. */
export function allowedMs({ ms, msPerMiB }: RequestBound, received: number): number {
  return ms + (received / 1024 ** 2) * msPerMiB;
}
