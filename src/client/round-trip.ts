const memoryMs = 10_000;

/** How long a call takes, without the time it spends in queues that the caller itself has filled. */
export class RoundTrip {
  #smooth = 0;
  #least = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;
  #since = Number.NEGATIVE_INFINITY;

  measured(ms: number, now: number): void {
    const trip = Math.max(1, ms);
    this.#smooth = this.#smooth === 0 ? trip : this.#smooth + (trip - this.#smooth) / 8;
    if (now - this.#since > memoryMs) {
      this.#leastBefore = this.#least;
      this.#least = trip;
      this.#since = now;
    }
    this.#least = Math.min(this.#least, trip);
  }

  /** Milliseconds: the usual trip, at most twice the shortest one of late; 0 before anything was measured. */
  get ms(): number {
    return Math.min(this.#smooth, 2 * Math.min(this.#least, this.#leastBefore));
  }
}
