const memoryMs = 10_000;
/** A trip this close to the shortest confirms the shortest. */
const near = 1.1;

/** Measures how long a call takes, excluding time in queues that the caller itself has filled. */
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

  /** True if no recent trip was nearly as short as the shortest. */
  isOld(now: number): boolean {
    return now - this.#shortestAt > memoryMs;
  }

  /** Takes as the new shortest a trip that was certainly not spent in a queue. */
  renew(ms: number, now: number): void {
    this.#shortestMs = Math.max(1, ms);
    this.#shortestAt = now;
  }

  /** The usual trip in milliseconds, at most twice the shortest recent one; 0 before the first measurement. */
  get ms(): number {
    return Math.min(this.#usualMs, 2 * this.#shortestMs);
  }
}
