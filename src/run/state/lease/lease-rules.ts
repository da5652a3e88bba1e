/**
 * The rules of the lease, as pure functions. Both backends follow them, in memory or in SQL, and the exploration of
 * every interleaving in the tests is built from them. Those marked as public are rules that PostgreSQL follows in SQL: a
 * test compares the two.
 *
 *      taken          renewed        renewed                         lapses
 *   -----|--------------|--------------|------------------------------|----> the backend's clock
 *        |<- renewal -->|              |<----------- lease ---------->|
 *                                      |<--- may send --->|<- margin->|      the holder's own stopwatch
 *
 * The holder measures from before it asked, so its own end always comes before the backend's.
 */
export interface LeaseRow {
  /** Increases at each change of holder. */
  readonly epoch: number;
  /** Null after it was released. */
  readonly holder: string | null;
  /** By the backend's clock, in milliseconds. */
  readonly until: number;
}

/**
 * How long a lease lasts after it was taken or renewed. Another machine continues a run within 15 seconds, even if it
 * is busy: the time until the next worker has the job runs at the same time, and its first steps come after both.
 */
export const leaseMs = 12_000;
export const renewalMs = 3_000;
/**
 * The holder sends nothing in this last part of its lease.
 *
 * @public
 */
export const marginMs = 3_000;

/** The lease is free, its holder has not renewed it in time, or its holder with the epoch `deadEpoch` has died. */
export function mayTake(row: LeaseRow | null, now: number, deadEpoch = 0): boolean {
  return row === null || row.holder === null || row.until <= now || row.epoch === deadEpoch;
}

/** @public */
export function takenBy(row: LeaseRow | null, holder: string, now: number): LeaseRow {
  return { epoch: (row?.epoch ?? 0) + 1, holder, until: now + leaseMs };
}

/**
 * The holder of this epoch still has it. A lapsed lease is lost, even if no other run has taken it over.
 *
 * @public
 */
export function isHeld(row: LeaseRow | null, epoch: number, now: number): boolean {
  return row !== null && row.epoch === epoch && row.holder !== null && row.until > now;
}

/** @public */
export function renewed(row: LeaseRow, now: number): LeaseRow {
  return { ...row, until: now + leaseMs };
}

/**
 * The lease after its release by the holder of this epoch; a lease of another holder is unchanged.
 *
 * @public
 */
export function releasedBy(row: LeaseRow | null, epoch: number, now: number): LeaseRow | null {
  return row === null || row.epoch !== epoch ? row : { ...row, holder: null, until: now };
}

/** `sinceAskedMs` starts before the last request that took or renewed the lease, on a clock that never stops. */
export function maySend(sinceAskedMs: number): boolean {
  return sinceAskedMs < leaseMs - marginMs;
}
