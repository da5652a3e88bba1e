/** How many calls a second the service took, over a window that ends now. */
export class Delivery {
  readonly #times: number[] = [];
  #start = 0;

  accepted(now: number): void {
    this.#times.push(now);
  }

  /** Calls a second over the last `windowMs`; older answers are forgotten for good. */
  rate(now: number, windowMs: number): number {
    const from = now - windowMs;
    while (this.#start < this.#times.length && (this.#times[this.#start] ?? 0) <= from) this.#start++;
    if (this.#start > 1024 && this.#start * 2 > this.#times.length) {
      this.#times.splice(0, this.#start);
      this.#start = 0;
    }
    return ((this.#times.length - this.#start) * 1000) / windowMs;
  }
}
