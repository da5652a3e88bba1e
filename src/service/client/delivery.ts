const kept = 100_000;

/** Measures how many calls per second the service accepts, by the times of its responses. */
export class Delivery {
  #times: number[] = [];

  accepted(now: number): void {
    this.#times.push(now);
    if (this.#times.length >= 2 * kept) this.#times = this.#times.slice(kept);
  }

  /** Calls per second over the last `windowMs`. */
  rate(now: number, windowMs: number): number {
    let low = 0;
    let high = this.#times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#times[middle] ?? now) > now - windowMs) high = middle;
      else low = middle + 1;
    }
    return ((this.#times.length - low) * 1000) / windowMs;
  }
}
