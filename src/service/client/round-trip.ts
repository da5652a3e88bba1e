const memoryMs = 10_000;
/** A trip this near to the shortest shows that the shortest still holds. */
const near = 1.1;

/** How long a call takes, without the time it spends in queues that the caller itself has filled. */
export class RoundTrip {
  #usualMs = 0;
  #shortestMs = Number.POSITIVE_INFINITY;
  #shortestAt = 0;

  measured(ms: number, now: number): void {
    const tripMs = Math.max(1, ms);
    this.#usualMs = this.#usualMs === 0 ? tripMs : this.#usualMs + (tripMs - this.#usualMs) / 8;
    if (tripMs > near * this.#shortestMs) return;
    this.#shortestMs = Math.min(this.#shortestMs, tripMs);
    this.#shortestAt = now;
  }

  /** Whether no trip has been nearly as short as the shortest for a while. */
  isOld(now: number): boolean {
    return now - this.#shortestAt > memoryMs;
  }

  /** Takes a trip that was surely not spent in a queue for the shortest. */
  renew(ms: number, now: number): void {
    this.#shortestMs = Math.max(1, ms);
    this.#shortestAt = now;
  }

  /** Milliseconds: the usual trip, at most twice the shortest one of late; 0 before anything was measured. */
  get ms(): number {
    return Math.min(this.#usualMs, 2 * this.#shortestMs);
  }
}
