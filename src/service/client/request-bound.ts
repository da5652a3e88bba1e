/** The time limit of one request, from its dispatch to the last byte of its response. */
export interface RequestBound {
  readonly ms: number;
  /** Added for each MiB received, so that a large list over a slow connection is not cut off. */
  readonly msPerMiB: number;
}

const defaultMs = 5 * 60_000;
const leastDefaultMs = 60_000;
/** About 35 kB per second: slower than any connection that can transfer lists of whole fleets. */
const defaultMsPerMiB = 30_000;

export interface BoundChoice {
  /** The total time that the user allows, whatever the size. */
  readonly requestTimeoutMs?: number | undefined;
  readonly maxWaitMs?: number | undefined;
}

/** The user's limit, or else the longest wait for a rate limit (at least a minute), plus time for received data. */
export function requestBound({ requestTimeoutMs, maxWaitMs = defaultMs }: BoundChoice): RequestBound {
  return requestTimeoutMs === undefined
    ? { ms: Math.max(leastDefaultMs, maxWaitMs), msPerMiB: defaultMsPerMiB }
    : { ms: requestTimeoutMs, msPerMiB: 0 };
}

/** The milliseconds that a request may take after receiving this many bytes. */
export function allowedMs({ ms, msPerMiB }: RequestBound, received: number): number {
  return ms + (received / 1024 ** 2) * msPerMiB;
}
